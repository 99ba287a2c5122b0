<?php
/**
 * Events as HTML; all that comes from the calendar is escaped here.
 *
 * @package calendar-app
 */

namespace CalendarApp;

defined( 'ABSPATH' ) || exit;

/** Filters that authors may set, by the names of attributes. */
const FILTERS = array(
	'categories' => 'categories',
	'tags'       => 'tags',
	'venue'      => 'venue',
	'organizer'  => 'organizer',
	'search'     => 'search',
	'featured'   => 'featured',
	'free'       => 'free',
	'start'      => 'start_date',
	'end'        => 'end_date',
);
const LIST_DEFAULTS = array(
	'limit'      => '5',
	'layout'     => 'list',
	'language'   => '',
	'categories' => '',
	'tags'       => '',
	'venue'      => '',
	'organizer'  => '',
	'search'     => '',
	'featured'   => '',
	'free'       => '',
	'start'      => '',
	'end'        => '',
);
const EVENT_DEFAULTS = array(
	'id'       => '',
	'slug'     => '',
	'language' => '',
);
const MOST = 50;

/**
 * Return a list of events.
 *
 * @param array<string,mixed> $attributes Those of the shortcode or the block.
 */
function render_list( array $attributes ): string {
	wp_enqueue_style( STYLE );
	$parameters = array( 'per_page' => (string) min( MOST, max( 1, (int) $attributes['limit'] ) ) );
	foreach ( FILTERS as $name => $parameter ) {
		$value = trim( (string) $attributes[ $name ] );
		if ( '' !== $value ) {
			$parameters[ $parameter ] = $value;
		}
	}
	$page = read( '/events', $parameters, (string) $attributes['language'] );
	if ( null === $page ) {
		return notice( __( 'The events cannot be shown at the moment.', 'calendar-app' ) );
	}
	if ( ! $page['events'] ) {
		return notice( __( 'Nothing is announced at the moment.', 'calendar-app' ) );
	}
	$layout = 'cards' === $attributes['layout'] ? 'cards' : 'list';
	$items  = array_map( __NAMESPACE__ . '\\item', $page['events'] );
	return sprintf(
		'<ul class="calendar-app-events is-%s"%s>%s</ul>',
		esc_attr( $layout ),
		language_attribute( $page['events'][0] ),
		implode( '', $items )
	);
}

/**
 * Return HTML in which no shortcode is left: WordPress runs those it finds in what blocks return.
 *
 * @param string $html With texts of the calendar.
 */
function without_shortcodes( string $html ): string {
	return str_replace( '[', '&#91;', $html );
}

/**
 * Return one event with its description.
 *
 * @param array<string,mixed> $attributes Those of the shortcode or the block.
 */
function render_event( array $attributes ): string {
	wp_enqueue_style( STYLE );
	$id   = trim( (string) $attributes['id'] );
	$slug = trim( (string) $attributes['slug'] );
	$path = ctype_digit( $id ) ? "/events/$id" : '/events/by-slug/' . rawurlencode( $slug );
	if ( ! ctype_digit( $id ) && '' === $slug ) {
		return notice( __( 'No event is chosen.', 'calendar-app' ) );
	}
	$event = read( $path, array(), (string) $attributes['language'] );
	if ( null === $event ) {
		return notice( __( 'This event cannot be shown at the moment.', 'calendar-app' ) );
	}
	return sprintf(
		'<div class="calendar-app-events is-single"%s>%s<div class="calendar-app-text">%s</div></div>',
		language_attribute( $event ),
		article( $event ),
		wp_kses_post( $event['description'] ? $event['description'] : $event['excerpt'] )
	);
}

/**
 * Return an event as an item of a list.
 *
 * @param array<string,mixed> $event As the calendar shows it.
 */
function item( array $event ): string {
	return '<li>' . article( $event ) . '</li>';
}

/**
 * Return the facts of an event.
 *
 * @param array<string,mixed> $event As the calendar shows it.
 */
function article( array $event ): string {
	$status = in_array( $event['event_status'], array( 'canceled', 'postponed' ), true ) ? $event['event_status'] : '';
	$parts  = array(
		picture( $event ),
		'' === $status ? '' : sprintf(
			'<span class="calendar-app-mark">%s</span>',
			esc_html( 'canceled' === $status ? __( 'Cancelled', 'calendar-app' ) : __( 'Postponed', 'calendar-app' ) )
		),
		sprintf(
			'<h3 class="calendar-app-title"><a href="%s">%s</a></h3>',
			esc_url( $event['url'] ),
			esc_html( plain( $event['title'] ) )
		),
		sprintf(
			'<p class="calendar-app-when"><time datetime="%s">%s</time></p>',
			esc_attr( machine_date( $event ) ),
			esc_html( when( $event ) )
		),
		facts( $event ),
	);
	return sprintf( '<article class="calendar-app-event %s">%s</article>', esc_attr( $status ), implode( '', $parts ) );
}

/**
 * Return place and price.
 *
 * @param array<string,mixed> $event As the calendar shows it.
 */
function facts( array $event ): string {
	$venue = $event['venue'];
	$venue = isset( $venue['venue'] ) ? $venue : ( $venue[0] ?? array() );
	$place = array( plain( $venue['venue'] ?? '' ), plain( $venue['city'] ?? '' ) );
	if ( '' !== $place[1] && str_contains( $place[0], $place[1] ) ) {
		$place[1] = '';
	}
	$facts = array_filter( array( implode( ', ', array_filter( $place ) ), plain( $event['cost'] ) ) );
	return $facts ? sprintf( '<p class="calendar-app-facts">%s</p>', esc_html( implode( ' · ', $facts ) ) ) : '';
}

/**
 * Return the picture, in the size for lists.
 *
 * @param array<string,mixed> $event As the calendar shows it.
 */
function picture( array $event ): string {
	$image = $event['image'];
	if ( ! is_array( $image ) ) {
		return '';
	}
	$address = $image['sizes']['medium']['url'] ?? $image['url'];
	return sprintf(
		'<img class="calendar-app-picture" src="%s" alt="%s" loading="lazy">',
		esc_url( $address ),
		esc_attr( plain( $image['alt_text'] ?? '' ) )
	);
}

/**
 * Return when an event takes place, on its own clock, in the formats of the site.
 *
 * @param array<string,mixed> $event As the calendar shows it.
 */
function when( array $event ): string {
	$start = wall( $event['start_date'] );
	$end   = wall( $event['end_date'] );
	$utc   = new \DateTimeZone( 'UTC' );
	$day   = fn( int $time ): string => (string) wp_date( get_option( 'date_format' ), $time, $utc );
	$clock = fn( int $time ): string => (string) wp_date( get_option( 'time_format' ), $time, $utc );
	$one   = substr( $event['start_date'], 0, 10 ) === substr( $event['end_date'], 0, 10 );
	if ( $event['all_day'] ) {
		return $one ? $day( $start ) : $day( $start ) . ' – ' . $day( $end );
	}
	$begin = $day( $start ) . ', ' . $clock( $start );
	if ( $start === $end ) {
		return $begin;
	}
	return $begin . ( $one ? '–' . $clock( $end ) : ' – ' . $day( $end ) . ', ' . $clock( $end ) );
}

/**
 * Return a wall clock as if it were UTC, in which it is formatted.
 *
 * @param string $text Such as "2030-01-31 19:30:00".
 */
function wall( string $text ): int {
	return (int) strtotime( "$text UTC" );
}

/**
 * Return the date for machines.
 *
 * @param array<string,mixed> $event As the calendar shows it.
 */
function machine_date( array $event ): string {
	return $event['all_day'] ? substr( $event['start_date'], 0, 10 ) : str_replace( ' ', 'T', $event['utc_start_date'] ) . 'Z';
}

/**
 * Return a text without the entities of the calendar.
 *
 * @param string $text Such as "A &amp; B".
 */
function plain( string $text ): string {
	return html_entity_decode( $text, ENT_QUOTES | ENT_HTML5, 'UTF-8' );
}

/**
 * Say in which language the calendar answered, where it is not that of the page.
 *
 * @param array<string,mixed> $event As the calendar shows it.
 */
function language_attribute( array $event ): string {
	return page_language() === $event['language'] ? '' : sprintf( ' lang="%s"', esc_attr( $event['language'] ) );
}

/**
 * Return a sentence in place of events.
 *
 * @param string $words Translated.
 */
function notice( string $words ): string {
	return sprintf( '<p class="calendar-app-notice">%s</p>', esc_html( $words ) );
}
