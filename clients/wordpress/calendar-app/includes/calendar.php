<?php
/**
 * Reads the calendar, and keeps what it has read.
 *
 * @package calendar-app
 */

namespace CalendarApp;

defined( 'ABSPATH' ) || exit;

const BASE_OPTION    = 'calendar_app_base';
const MINUTES_OPTION = 'calendar_app_minutes';
const MINUTES        = 10;
/** How long an answer is kept for times when the calendar does not answer. */
const KEPT = DAY_IN_SECONDS;
/** How long a calendar that did not answer is left alone. */
const PAUSE = 30;

/**
 * Return what the calendar answers at a path in the language of the page, or null.
 *
 * A calendar without that language answers in its own.
 *
 * @param string               $path       Below the base address of the interface.
 * @param array<string,string> $parameters Filters of the interface.
 * @param string               $language   A code; empty for that of the page.
 * @return array<string,mixed>|null
 */
function read( string $path, array $parameters, string $language = '' ): ?array {
	$parameters['translation_language'] = $language ? $language : page_language();
	$answer                             = cached( $path, $parameters );
	$reasons                            = $answer['data']['params'] ?? null;
	if ( '' === $language && is_array( $reasons ) && isset( $reasons['translation_language'] ) ) {
		unset( $parameters['translation_language'] );
		$answer = cached( $path, $parameters );
	}
	return null === $answer || isset( $answer['data']['status'] ) ? null : $answer;
}

/**
 * Return an answer, as long as it is fresh without asking; an old one where nobody answers.
 *
 * @param string               $path       Below the base address of the interface.
 * @param array<string,string> $parameters Filters of the interface.
 * @return array<string,mixed>|null
 */
function cached( string $path, array $parameters ): ?array {
	$base = untrailingslashit( (string) get_option( BASE_OPTION, '' ) );
	if ( '' === $base ) {
		return null;
	}
	ksort( $parameters );
	$query   = http_build_query( $parameters, '', '&', PHP_QUERY_RFC3986 );
	$address = $base . $path . ( '' === $query ? '' : "?$query" );
	$key     = 'calendar_app_' . md5( $address );
	$kept    = get_transient( $key );
	if ( is_array( $kept ) && time() < $kept['until'] ) {
		return $kept['answer'];
	}
	$answer  = ask( $address );
	$minutes = max( 1, (int) get_option( MINUTES_OPTION, MINUTES ) );
	$fresh   = null === $answer ? PAUSE : $minutes * MINUTE_IN_SECONDS;
	$answer  = $answer ?? $kept['answer'] ?? null;
	set_transient( $key, array( 'answer' => $answer, 'until' => time() + $fresh ), KEPT );
	return $answer;
}

/**
 * Ask the calendar. Null where it does not answer, or is in trouble; refusals are answers.
 *
 * @param string $address The whole address.
 * @return array<string,mixed>|null
 */
function ask( string $address ): ?array {
	$response = wp_remote_get(
		$address,
		array(
			'timeout' => 5,
			'headers' => array( 'Accept' => 'application/json' ),
		)
	);
	if ( is_wp_error( $response ) ) {
		return null;
	}
	$status = (int) wp_remote_retrieve_response_code( $response );
	$body   = json_decode( wp_remote_retrieve_body( $response ), true );
	return is_array( $body ) && 0 < $status && $status < 500 && 429 !== $status ? $body : null;
}
