<?php
return array(
	'domain'   => 'calendar-app',
	'language' => 'roh',
	'messages' => array(
		'The events cannot be shown at the moment.' => 'Las occurrenzas na pon actualmain betg vegnir mussadas.',
		'This event cannot be shown at the moment.' => 'Questa occurrenza na po actualmain betg vegnir mussada.',
		'Nothing is announced at the moment.' => 'Actualmain n’è annunzià nagut.',
		'No event is chosen.' => 'I n’è tschernida nagina occurrenza.',
		'Cancelled' => 'Annullà',
		'Postponed' => 'Spustà',
		'Calendar' => 'Chalender',
		'Address of the interface' => 'Adressa da l’interfatscha',
		'Minutes between two readings' => 'Minutas tranter duas lecturas',
		'Events of a calendar' => 'Occurrenzas d’in chalender',
		'Event of a calendar' => 'Occurrenza d’in chalender',
	),
);
