<?php
/**
 * The functions of WordPress that the plugin calls, as far as it needs them.
 *
 * Transients are a file, so that the tests can look at what is kept, and go on with it.
 */

define( 'ABSPATH', __DIR__ );
define( 'DAY_IN_SECONDS', 86400 );
define( 'MINUTE_IN_SECONDS', 60 );

$site = json_decode( stream_get_contents( STDIN ), true );
$told = array( 'requests' => array(), 'registered' => array() );

function kept(): array {
	global $site;
	return is_file( $site['transients'] ) ? json_decode( file_get_contents( $site['transients'] ), true ) : array();
}

function get_transient( string $key ) {
	$kept = kept();
	return isset( $kept[ $key ] ) && time() < $kept[ $key ]['ends'] ? $kept[ $key ]['value'] : false;
}

function set_transient( string $key, $value, int $seconds ): bool {
	global $site;
	assert( strlen( $key ) <= 172 );
	$kept         = kept();
	$kept[ $key ] = array( 'value' => $value, 'ends' => time() + $seconds );
	return (bool) file_put_contents( $site['transients'], json_encode( $kept ) );
}

class WP_Error {}

function wp_remote_get( string $address, array $options ) {
	global $told;
	$told['requests'][] = $address;
	$context            = stream_context_create(
		array( 'http' => array( 'timeout' => $options['timeout'], 'ignore_errors' => true ) )
	);
	$body               = @file_get_contents( $address, false, $context );
	if ( false === $body ) {
		return new WP_Error();
	}
	return array( 'status' => explode( ' ', $http_response_header[0] )[1], 'body' => $body );
}

function is_wp_error( $value ): bool {
	return $value instanceof WP_Error;
}

function wp_remote_retrieve_response_code( array $response ) {
	return $response['status'];
}

function wp_remote_retrieve_body( array $response ): string {
	return $response['body'];
}

function get_option( string $name, $default = false ) {
	global $site;
	$usual = array( 'date_format' => 'j. F Y', 'time_format' => 'H:i' );
	return $site['options'][ $name ] ?? $usual[ $name ] ?? $default;
}

function determine_locale(): string {
	global $site;
	return $site['locale'];
}

function apply_filters( string $name, $value ) {
	global $site;
	return $site['filters'][ $name ] ?? $value;
}

function __( string $text, string $domain ): string {
	assert( 'calendar-app' === $domain );
	$file     = __DIR__ . '/../calendar-app/languages/calendar-app-' . determine_locale() . '.l10n.php';
	$messages = is_file( $file ) ? ( include $file )['messages'] : array();
	return $messages[ $text ] ?? $text;
}

function esc_html( string $text ): string {
	return htmlspecialchars( $text, ENT_QUOTES | ENT_SUBSTITUTE, 'UTF-8', false );
}

function esc_attr( string $text ): string {
	return esc_html( $text );
}

function esc_url( string $address ): string {
	$scheme = parse_url( $address, PHP_URL_SCHEME );
	return in_array( $scheme, array( 'http', 'https', 'mailto' ), true ) ? esc_html( $address ) : '';
}

function sanitize_url( string $address, array $schemes ): string {
	return in_array( parse_url( $address, PHP_URL_SCHEME ), $schemes, true ) ? $address : '';
}

function wp_kses_post( string $html ): string {
	$kept = strip_tags( preg_replace( '#<(script|style)\b.*?</\1>#is', '', $html ), '<p><br><a><strong><em><ul><ol><li>' );
	return preg_replace( '#\s(on\w+|style)=("[^"]*"|\'[^\']*\'|\S+)|href="(?!https?:|mailto:)[^"]*"#i', '', $kept );
}

function wp_date( string $format, int $time, DateTimeZone $zone ): string {
	return ( new DateTimeImmutable( "@$time" ) )->setTimezone( $zone )->format( $format );
}

function untrailingslashit( string $text ): string {
	return rtrim( $text, '/\\' );
}

function shortcode_atts( array $pairs, array $given, string $tag ): array {
	return array_merge( $pairs, array_intersect_key( $given, $pairs ) );
}

function get_block_wrapper_attributes(): string {
	return 'class="wp-block"';
}

function add_shortcode( string $tag, string $callback ): void {
	global $told;
	$told['registered'][ $tag ] = $callback;
}

function register_block_type( string $folder, array $options ): void {
	global $told;
	$declared                                = json_decode( file_get_contents( "$folder/block.json" ), true );
	$told['registered'][ $declared['name'] ] = $options['render_callback'];
}

function add_action( string $hook, string $callback ): void {
	global $told;
	$told['actions'][ $hook ] = $callback;
}

function plugin_basename( string $file ): string {
	return basename( dirname( $file ) ) . '/' . basename( $file );
}

function plugins_url( string $path, string $file ): string {
	assert( is_file( dirname( $file ) . "/$path" ) );
	return $path;
}

function load_plugin_textdomain(): void {}
function wp_register_style(): void {}
function wp_register_script(): void {}
function wp_enqueue_style(): void {}
