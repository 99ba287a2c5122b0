<?php
/**
 * The language of the page.
 *
 * @package calendar-app
 */

namespace CalendarApp;

defined( 'ABSPATH' ) || exit;

/** Languages that WordPress calls by another code than calendars do. */
const LANGUAGES = array( 'roh' => 'rm' );

/**
 * Return the language of the page as a code, such as "de".
 *
 * WPML and Polylang know it best where they are there; else the locale says it.
 */
function page_language(): string {
	$language = apply_filters( 'wpml_current_language', null );
	if ( ! is_string( $language ) && function_exists( 'pll_current_language' ) ) {
		$language = pll_current_language( 'slug' );
	}
	if ( ! is_string( $language ) || '' === $language ) {
		$language = strtok( determine_locale(), '_' );
	}
	$language = strtolower( (string) $language );
	return LANGUAGES[ $language ] ?? $language;
}
