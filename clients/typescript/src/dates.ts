// Dates of events as people write them, on the clock of the event, wherever its reader is.

import type { Event } from './records.js';
import { primary, textsOf } from './texts.js';

type Times = Pick<Event, 'start_date' | 'end_date' | 'all_day'>;

// Reads a wall clock as if it were UTC, in which all is formatted.
function wall(text: string): Date {
  return new Date(`${text.replace(' ', 'T')}Z`);
}

function formatter(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const known = Intl.DateTimeFormat.supportedLocalesOf([language])[0];
  return new Intl.DateTimeFormat(known ?? 'en-GB', { ...options, timeZone: 'UTC' });
}

// Browsers lack Romansh, whose names are here as CLDR has them.
const ROMANSH = {
  weekdays: ['du', 'gli', 'ma', 'me', 'gie', 've', 'so'],
  months: [
    'schaner', 'favrer', 'mars', 'avrigl', 'matg', 'zercladur', 'fanadur', 'avust', 'settember',
    'october', 'november', 'december',
  ],
  short: ['schan', 'favr', 'mars', 'avr', 'matg', 'zercl', 'fan', 'avust', 'sett', 'oct', 'nov', 'dec'],
} as const;

function isRomansh(language: string): boolean {
  return primary(language) === 'rm' && !Intl.DateTimeFormat.supportedLocalesOf([language]).length;
}

const DAY = { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' } as const;
const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;
// Keeps both ends of a time on one line.
const UNTIL = '\u2060–\u2060';

function dayText(date: Date, language: string): string {
  if (!isRomansh(language)) return formatter(language, DAY).format(date);
  const weekday = ROMANSH.weekdays[date.getUTCDay()];
  const month = ROMANSH.months[date.getUTCMonth()];
  return `${weekday}, ils ${date.getUTCDate()} da ${month} ${date.getUTCFullYear()}`;
}

// Answers when an event takes place, on one line.
export function when(event: Times, language: string): string {
  const [start, end] = [wall(event.start_date), wall(event.end_date)];
  const isOneDay = event.start_date.slice(0, 10) === event.end_date.slice(0, 10);
  const first = dayText(start, language);
  if (event.all_day && isOneDay) return `${first}, ${textsOf(language).allDay}`;
  if (event.all_day) return `${first} – ${dayText(end, language)}`;
  const clock = formatter(isRomansh(language) ? 'de-CH' : language, CLOCK);
  const begin = `${first}, ${clock.format(start)}`;
  if (event.start_date === event.end_date) return begin;
  if (isOneDay) return `${begin}${UNTIL}${clock.format(end)}`;
  return `${begin} – ${dayText(end, language)}, ${clock.format(end)}`;
}

// Answers the parts of the day on which an event begins.
export function dayOf(event: Times, language: string): { day: string; month: string; weekday: string } {
  const start = wall(event.start_date);
  const day = String(start.getUTCDate());
  if (isRomansh(language)) {
    const [weekday, month] = [ROMANSH.weekdays[start.getUTCDay()], ROMANSH.short[start.getUTCMonth()]];
    return { day, month: month ?? '', weekday: weekday ?? '' };
  }
  const part = (options: Intl.DateTimeFormatOptions) => (
    formatter(language, options).format(start).replace(/\.$/, ''));
  return { day, month: part({ month: 'short' }), weekday: part({ weekday: 'short' }) };
}

// Answers the value of `datetime`: the instant, or the day of what lasts all day.
export function machineDate(event: Pick<Event, 'utc_start_date' | 'start_date' | 'all_day'>): string {
  return event.all_day ? event.start_date.slice(0, 10) : `${event.utc_start_date.replace(' ', 'T')}Z`;
}

// Answers a distance in kilometres, as people say it.
export function distance(kilometres: number, language: string): string {
  const known = Intl.NumberFormat.supportedLocalesOf([language])[0] ?? 'de-CH';
  const isNear = kilometres < 1;
  const unit = isNear ? 'meter' : 'kilometer';
  const value = isNear ? Math.round(kilometres * 100) * 10 : kilometres;
  const digits = kilometres < 10 && !isNear ? 1 : 0;
  return new Intl.NumberFormat(known, { style: 'unit', unit, maximumFractionDigits: digits }).format(value);
}
