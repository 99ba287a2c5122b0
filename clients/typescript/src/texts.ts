// What the element says, in the languages of the calendar's pages.

interface Texts {
  readonly events: string;
  readonly loading: string;
  readonly empty: string;
  readonly failed: string;
  readonly missing: string;
  readonly again: string;
  readonly more: string;
  readonly canceled: string;
  readonly postponed: string;
  readonly online: string;
  readonly allDay: string;
  readonly website: string;
  readonly away: string;
  readonly until: string;
  readonly count: (shown: number, total: number) => string;
}

const TEXTS: Readonly<Record<string, Texts>> = {
  de: {
    events: 'Veranstaltungen',
    loading: 'Wird geladen …',
    empty: 'Zurzeit ist nichts angekündigt.',
    failed: 'Die Veranstaltungen lassen sich gerade nicht laden.',
    missing: 'Diese Veranstaltung gibt es nicht mehr.',
    again: 'Noch einmal versuchen',
    more: 'Mehr anzeigen',
    canceled: 'Abgesagt',
    postponed: 'Verschoben',
    online: 'Online',
    allDay: 'ganztägig',
    website: 'Website',
    away: 'entfernt',
    until: 'bis',
    count: (shown, total) => `${shown} von ${total} Veranstaltungen`,
  },
  fr: {
    events: 'Manifestations',
    loading: 'Chargement …',
    empty: 'Rien n’est annoncé pour le moment.',
    failed: 'Impossible de charger les manifestations pour le moment.',
    missing: 'Cette manifestation n’existe plus.',
    again: 'Réessayer',
    more: 'Afficher plus',
    canceled: 'Annulé',
    postponed: 'Reporté',
    online: 'En ligne',
    allDay: 'toute la journée',
    website: 'Site web',
    away: 'de distance',
    until: 'à',
    count: (shown, total) => `${shown} manifestations sur ${total}`,
  },
  it: {
    events: 'Manifestazioni',
    loading: 'Caricamento …',
    empty: 'Al momento non è annunciato nulla.',
    failed: 'Al momento non è possibile caricare le manifestazioni.',
    missing: 'Questa manifestazione non esiste più.',
    again: 'Riprova',
    more: 'Mostra altre',
    canceled: 'Annullato',
    postponed: 'Rinviato',
    online: 'Online',
    allDay: 'tutto il giorno',
    website: 'Sito web',
    away: 'di distanza',
    until: 'fino alle',
    count: (shown, total) => `${shown} manifestazioni su ${total}`,
  },
  rm: {
    events: 'Occurrenzas',
    loading: 'Vegn chargià …',
    empty: 'Actualmain n’è annunzià nagut.',
    failed: 'Las occurrenzas na pon actualmain betg vegnir chargiadas.',
    missing: 'Questa occurrenza n’exista betg pli.',
    again: 'Empruvar danovamain',
    more: 'Mussar dapli',
    canceled: 'Annullà',
    postponed: 'Spustà',
    online: 'Online',
    allDay: 'l’entir di',
    website: 'Website',
    away: 'davent',
    until: 'fin',
    count: (shown, total) => `${shown} da ${total} occurrenzas`,
  },
  en: {
    events: 'Events',
    loading: 'Loading …',
    empty: 'Nothing is announced at the moment.',
    failed: 'The events cannot be loaded at the moment.',
    missing: 'This event no longer exists.',
    again: 'Try again',
    more: 'Show more',
    canceled: 'Cancelled',
    postponed: 'Postponed',
    online: 'Online',
    allDay: 'all day',
    website: 'Website',
    away: 'away',
    until: 'to',
    count: (shown, total) => `${shown} of ${total} events`,
  },
};

// Answers the texts of a language tag, such as de-CH; English for all others.
export function textsOf(language: string): Texts {
  return TEXTS[primary(language)] ?? TEXTS['en'] as Texts;
}

export function primary(language: string): string {
  return language.toLowerCase().split('-', 1)[0] ?? '';
}
