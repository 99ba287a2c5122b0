<?php
return array(
	'domain'   => 'calendar-app',
	'language' => 'de_DE',
	'messages' => array(
		'The events cannot be shown at the moment.' => 'Die Veranstaltungen lassen sich gerade nicht anzeigen.',
		'This event cannot be shown at the moment.' => 'Diese Veranstaltung lässt sich gerade nicht anzeigen.',
		'Nothing is announced at the moment.' => 'Zurzeit ist nichts angekündigt.',
		'No event is chosen.' => 'Es ist keine Veranstaltung gewählt.',
		'Cancelled' => 'Abgesagt',
		'Postponed' => 'Verschoben',
		'Calendar' => 'Kalender',
		'Address of the interface' => 'Adresse der Schnittstelle',
		'Minutes between two readings' => 'Minuten zwischen zwei Abfragen',
		'Events of a calendar' => 'Veranstaltungen eines Kalenders',
		'Event of a calendar' => 'Veranstaltung eines Kalenders',
	),
);
