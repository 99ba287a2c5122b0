// Events as elements of a page.

import { dayOf, distance, machineDate, when } from './dates.js';
import type { Event } from './records.js';
import { address, plain, rich } from './safe.js';
import { textsOf } from './texts.js';

// How an event is shown; one that stands alone with its description.
export interface Look {
  readonly language: string;
  readonly level: number;
  readonly isAlone: boolean;
}

type Content = Node | string | null;

const WEB: ReadonlySet<string> = new Set(['http:', 'https:']);

function element(tag: string, classes: string, ...content: Content[]): HTMLElement {
  const made = document.createElement(tag);
  if (classes) made.className = classes;
  made.append(...content.filter((each): each is Node | string => each !== null && each !== ''));
  return made;
}

export function eventItem(event: Event, look: Look): HTMLElement {
  const item = element('li', '', null);
  const article = element(
    'article', `event is-${event.event_status}`, picture(event), day(event, look),
    element(
      'div', 'body', marks(event, look), title(event, look), time(event, look),
      facts(event, look), look.isAlone ? text(event) : null,
    ),
  );
  article.part.add('event');
  item.append(article);
  return item;
}

function day(event: Event, { language }: Look): HTMLElement {
  const parts = dayOf(event, language);
  const made = element(
    'div', 'day', element('span', '', parts.weekday), element('strong', '', parts.day),
    element('span', '', parts.month),
  );
  // The line of the time says it all.
  made.setAttribute('aria-hidden', 'true');
  made.part.add('day');
  return made;
}

function title(event: Event, { level }: Look): HTMLElement {
  const made = element(`h${level}`, 'title');
  const name = plain(event.title);
  const href = address(event.url, WEB);
  const link = document.createElement('a');
  if (href) link.href = href;
  link.textContent = name;
  made.part.add('title');
  made.lang = event.language;
  made.append(href ? link : name);
  return made;
}

function time(event: Event, { language }: Look): HTMLElement {
  const made = document.createElement('time');
  made.dateTime = machineDate(event);
  made.textContent = when(event, language);
  return element('p', 'facts when', made);
}

function facts(event: Event, { language }: Look): HTMLElement | null {
  const venues = Array.isArray(event.venue) ? event.venue : [event.venue];
  const places = venues.map((venue) => [venue.venue, venue.city].filter(Boolean).map((part) => plain(part ?? '')));
  const lines = [
    ...places.map(([name, city]) => (city && !name?.includes(city) ? `${name}, ${city}` : name ?? '')),
    event.distance === undefined ? '' : distance(event.distance, language),
    plain(event.cost),
  ].filter(Boolean);
  if (!lines.length) return null;
  const made = element('p', 'facts', ...lines.map((line) => element('span', '', line)));
  made.lang = event.language;
  return made;
}

function marks(event: Event, { language }: Look): HTMLElement | null {
  const texts = textsOf(language);
  const found: [string, string][] = [];
  if (event.event_status === 'canceled') found.push(['canceled', texts.canceled]);
  if (event.event_status === 'postponed') found.push(['postponed', texts.postponed]);
  const isOnline = event.attendance_mode === 'online' || event.attendance_mode === 'mixed';
  if (isOnline) found.push(['online', texts.online]);
  if (!found.length) return null;
  return element('p', 'marks', ...found.map(([name, words]) => element('span', `mark ${name}`, words)));
}

function picture(event: Event): HTMLElement | null {
  const { image } = event;
  if (typeof image === 'boolean') return null;
  const source = address(image.sizes?.['medium']?.url ?? image.url, WEB);
  if (!source) return null;
  const made = document.createElement('img');
  made.className = 'picture';
  made.part.add('picture');
  made.src = source;
  made.alt = plain(image.alt_text ?? '');
  made.loading = 'lazy';
  made.decoding = 'async';
  // A picture that is gone leaves no hole.
  made.addEventListener('error', () => made.remove());
  return made;
}

function text(event: Event): HTMLElement | null {
  const html = event.description || event.excerpt;
  if (!html) return null;
  const made = element('div', 'text', rich(html));
  made.lang = event.language;
  return made;
}

export function notice(words: string, action: HTMLElement | null = null): HTMLElement {
  const made = element('div', 'notice', element('p', '', words), action);
  made.setAttribute('role', 'status');
  return made;
}

export function waiting(count: number, words: string): HTMLElement {
  const status = element('p', 'unseen', words);
  status.setAttribute('role', 'status');
  const places = Array.from({ length: count }, () => element('div', 'waiting'));
  return element('div', 'list', status, ...places);
}
