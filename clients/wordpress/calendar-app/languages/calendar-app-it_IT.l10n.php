<?php
return array(
	'domain'   => 'calendar-app',
	'language' => 'it_IT',
	'messages' => array(
		'The events cannot be shown at the moment.' => 'Al momento non è possibile mostrare le manifestazioni.',
		'This event cannot be shown at the moment.' => 'Al momento non è possibile mostrare questa manifestazione.',
		'Nothing is announced at the moment.' => 'Al momento non è annunciato nulla.',
		'No event is chosen.' => 'Nessuna manifestazione è scelta.',
		'Cancelled' => 'Annullato',
		'Postponed' => 'Rinviato',
		'Calendar' => 'Calendario',
		'Address of the interface' => 'Indirizzo dell’interfaccia',
		'Minutes between two readings' => 'Minuti tra due letture',
		'Events of a calendar' => 'Manifestazioni di un calendario',
		'Event of a calendar' => 'Manifestazione di un calendario',
	),
);
