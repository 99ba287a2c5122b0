<?php
/** Shows what the plugin makes of a shortcode or a block; what is asked comes as JSON. */

require __DIR__ . '/stand-ins.php';
require __DIR__ . '/../calendar-app/calendar-app.php';

$told['actions']['init']();
$content = $told['registered'][ $site['show'] ]( $site['attributes'] );
echo json_encode( array( 'html' => $content ) + $told );
