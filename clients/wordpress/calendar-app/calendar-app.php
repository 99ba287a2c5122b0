<?php
/**
 * Plugin Name: Calendar
 * Description: Shows the events of a calendar of calendar-app: a block and two shortcodes, cached, in the language of the page.
 * Version: 0.1.0
 * Requires at least: 6.5
 * Requires PHP: 8.1
 * License: MIT
 * Text Domain: calendar-app
 * Domain Path: /languages
 *
 * @package calendar-app
 */

namespace CalendarApp;

defined( 'ABSPATH' ) || exit;

require_once __DIR__ . '/includes/language.php';
require_once __DIR__ . '/includes/calendar.php';
require_once __DIR__ . '/includes/rendering.php';
require_once __DIR__ . '/includes/blocks.php';
require_once __DIR__ . '/includes/settings.php';

add_action( 'init', __NAMESPACE__ . '\\register' );
add_action( 'admin_init', __NAMESPACE__ . '\\register_settings' );
add_action( 'admin_menu', __NAMESPACE__ . '\\add_settings_page' );
