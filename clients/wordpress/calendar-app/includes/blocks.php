<?php
/**
 * The blocks and the shortcodes, which show the same.
 *
 * @package calendar-app
 */

namespace CalendarApp;

defined( 'ABSPATH' ) || exit;

const STYLE = 'calendar-app';

/** Register what authors can put into pages. */
function register(): void {
	$root = dirname( __DIR__ );
	$file = "$root/calendar-app.php";
	load_plugin_textdomain( 'calendar-app', false, dirname( plugin_basename( $file ) ) . '/languages' );
	wp_register_style( STYLE, plugins_url( 'assets/events.css', $file ), array(), '0.1.0' );
	wp_register_script(
		'calendar-app-editor',
		plugins_url( 'assets/editor.js', $file ),
		array( 'wp-blocks', 'wp-element', 'wp-components', 'wp-block-editor', 'wp-server-side-render', 'wp-i18n' ),
		'0.1.0',
		true
	);
	register_block_type( "$root/blocks/events", array( 'render_callback' => __NAMESPACE__ . '\\block_of_list' ) );
	register_block_type( "$root/blocks/event", array( 'render_callback' => __NAMESPACE__ . '\\block_of_event' ) );
	add_shortcode( 'calendar_events', __NAMESPACE__ . '\\shortcode_of_list' );
	add_shortcode( 'calendar_event', __NAMESPACE__ . '\\shortcode_of_event' );
}

/**
 * Show [calendar_events limit="5" categories="music"].
 *
 * @param array<string,string>|string $attributes As written.
 */
function shortcode_of_list( $attributes ): string {
	return without_shortcodes( render_list( shortcode_atts( LIST_DEFAULTS, (array) $attributes, 'calendar_events' ) ) );
}

/**
 * Show [calendar_event id="17"].
 *
 * @param array<string,string>|string $attributes As written.
 */
function shortcode_of_event( $attributes ): string {
	return without_shortcodes( render_event( shortcode_atts( EVENT_DEFAULTS, (array) $attributes, 'calendar_event' ) ) );
}

/**
 * Show the block of a list.
 *
 * @param array<string,mixed> $attributes Those of the block.
 */
function block_of_list( array $attributes ): string {
	return in_block( render_list( array_merge( LIST_DEFAULTS, $attributes ) ) );
}

/**
 * Show the block of one event.
 *
 * @param array<string,mixed> $attributes Those of the block.
 */
function block_of_event( array $attributes ): string {
	return in_block( render_event( array_merge( EVENT_DEFAULTS, $attributes ) ) );
}

/**
 * Put content into the element of its block, which has what editors have set.
 *
 * @param string $content Escaped.
 */
function in_block( string $content ): string {
	return sprintf( '<div %s>%s</div>', get_block_wrapper_attributes(), without_shortcodes( $content ) );
}
