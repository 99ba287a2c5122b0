<?php
return array(
	'domain'   => 'calendar-app',
	'language' => 'fr_FR',
	'messages' => array(
		'The events cannot be shown at the moment.' => 'Impossible d’afficher les manifestations pour le moment.',
		'This event cannot be shown at the moment.' => 'Impossible d’afficher cette manifestation pour le moment.',
		'Nothing is announced at the moment.' => 'Rien n’est annoncé pour le moment.',
		'No event is chosen.' => 'Aucune manifestation n’est choisie.',
		'Cancelled' => 'Annulé',
		'Postponed' => 'Reporté',
		'Calendar' => 'Calendrier',
		'Address of the interface' => 'Adresse de l’interface',
		'Minutes between two readings' => 'Minutes entre deux lectures',
		'Events of a calendar' => 'Manifestations d’un calendrier',
		'Event of a calendar' => 'Manifestation d’un calendrier',
	),
);
