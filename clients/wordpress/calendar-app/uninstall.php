<?php
/**
 * Removes the settings with the plugin; answers that are kept end by themselves.
 *
 * @package calendar-app
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

delete_option( 'calendar_app_base' );
delete_option( 'calendar_app_minutes' );
