<?php
/**
 * The settings: which calendar is shown, and how long answers are kept.
 *
 * @package calendar-app
 */

namespace CalendarApp;

defined( 'ABSPATH' ) || exit;

const PAGE = 'calendar-app';

/** Register both settings, with their fields. */
function register_settings(): void {
	register_setting(
		PAGE,
		BASE_OPTION,
		array(
			'type'              => 'string',
			'sanitize_callback' => __NAMESPACE__ . '\\clean_base',
			'default'           => '',
		)
	);
	register_setting(
		PAGE,
		MINUTES_OPTION,
		array(
			'type'              => 'integer',
			'sanitize_callback' => __NAMESPACE__ . '\\clean_minutes',
			'default'           => MINUTES,
		)
	);
	add_settings_section( 'calendar', '', '__return_empty_string', PAGE );
	add_settings_field( BASE_OPTION, __( 'Address of the interface', 'calendar-app' ), __NAMESPACE__ . '\\show_base', PAGE, 'calendar', array( 'label_for' => BASE_OPTION ) );
	add_settings_field( MINUTES_OPTION, __( 'Minutes between two readings', 'calendar-app' ), __NAMESPACE__ . '\\show_minutes', PAGE, 'calendar', array( 'label_for' => MINUTES_OPTION ) );
}

/** Add the page of the settings. */
function add_settings_page(): void {
	$name = __( 'Calendar', 'calendar-app' );
	add_options_page( $name, $name, 'manage_options', PAGE, __NAMESPACE__ . '\\show_page' );
}

/**
 * Return the address of a calendar, or nothing.
 *
 * @param mixed $value As sent.
 */
function clean_base( $value ): string {
	return untrailingslashit( sanitize_url( trim( (string) $value ), array( 'http', 'https' ) ) );
}

/**
 * Return a number of minutes, at most a day.
 *
 * @param mixed $value As sent.
 */
function clean_minutes( $value ): int {
	return min( 1440, max( 1, (int) $value ) );
}

/** Show the field of the address. */
function show_base(): void {
	printf(
		'<input type="url" class="regular-text" id="%1$s" name="%1$s" value="%2$s" placeholder="https://agenda.example.org/calendar/events/v1">',
		esc_attr( BASE_OPTION ),
		esc_attr( (string) get_option( BASE_OPTION, '' ) )
	);
}

/** Show the field of the minutes. */
function show_minutes(): void {
	printf(
		'<input type="number" min="1" max="1440" id="%1$s" name="%1$s" value="%2$d">',
		esc_attr( MINUTES_OPTION ),
		(int) get_option( MINUTES_OPTION, MINUTES )
	);
}

/** Show the page. */
function show_page(): void {
	if ( ! current_user_can( 'manage_options' ) ) {
		return;
	}
	echo '<div class="wrap"><h1>' . esc_html( get_admin_page_title() ) . '</h1><form method="post" action="options.php">';
	settings_fields( PAGE );
	do_settings_sections( PAGE );
	submit_button();
	echo '</form></div>';
}
