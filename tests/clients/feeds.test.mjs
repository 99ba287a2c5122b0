// ical.js, the parser of Thunderbird, finds in feeds what the JSON shows.
//
// FEED_CASES is how many feeds are invented, of three events on average.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import ICAL from 'ical.js';
import { startService } from './service.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PYTHON = process.env.PYTHON ?? join(ROOT, '.venv', 'bin', 'python');
const CASES = process.env.FEED_CASES ?? '60';
const BASE = '/wp-json/tribe/events/v1';

// It takes a text for one only where the standard says so, which does not know of this property.
ICAL.design.icalendar.property['x-alt-desc'] = { defaultType: 'text' };

// As a program does that has no zones of its own: those of the file count, and no others.
function components(ics) {
  ICAL.TimezoneService.reset();
  const calendar = new ICAL.Component(ICAL.parse(ics));
  for (const zone of calendar.getAllSubcomponents('vtimezone')) {
    ICAL.TimezoneService.register(zone);
  }
  return calendar.getAllSubcomponents('vevent');
}

function events(ics) {
  return new Map(components(ics).map((one) => [one.getFirstPropertyValue('url'), one]));
}

// The dates of all events, each with the component that describes it, and the UID.
function occurrences(ics) {
  const all = components(ics);
  const uid = (component) => component.getFirstPropertyValue('uid');
  const exceptions = all.filter((component) => component.hasProperty('recurrence-id'));
  return all.filter((component) => !exceptions.includes(component)).flatMap((component) => {
    const own = exceptions.filter((exception) => uid(exception) === uid(component));
    return dates(new ICAL.Event(component, { exceptions: own }));
  });
}

function dates(event) {
  if (!event.isRecurring()) return [date(event, event.startDate, event.endDate)];
  const found = [];
  const iterator = event.iterator();
  for (let next = iterator.next(); next; next = iterator.next()) {
    const { item, startDate, endDate } = event.getOccurrenceDetails(next);
    found.push(date(item, startDate, endDate));
  }
  return found;
}

const date = (event, start, end) => ({
  uid: event.uid,
  title: event.summary,
  language: language(event.component, 'summary'),
  start: instant(start),
  end: start.isDate ? null : instant(end),
});
const instant = (time) =>
  time.isDate ? time.toString() : time.toJSDate().toISOString().replace('.000Z', 'Z');

function moment(event, name) {
  const property = event.getFirstProperty(name) ?? event.getFirstProperty('dtstart');
  const time = property.getFirstValue();
  if (time.isDate) return time.toString();
  const zone = property.getParameter('tzid');
  assert.ok(!zone || ICAL.TimezoneService.has(zone), `There is no VTIMEZONE of ${zone}.`);
  return time.toJSDate().toISOString().replace('.000Z', 'Z');
}

const rounded = (degrees) => Math.round(degrees * 1e6) / 1e6 + 0;
const language = (event, name) => event.getFirstProperty(name)?.getParameter('language') ?? null;
const words = (text) => text.split(/[\s\x1c-\x1f\x85]+/u).filter((word) => word !== '');

// What ical.js finds of an event, in the words of "expected" in invented_events.py.
function found(event) {
  const value = (name) => event.getFirstPropertyValue(name);
  const point = value('geo');
  return {
    title: value('summary'),
    title_language: language(event, 'summary'),
    words: words(value('description') ?? ''),
    html: value('x-alt-desc') ?? '',
    description_language: language(event, 'description'),
    place: value('location'),
    point: point && point.map(rounded),
    categories: event.getAllProperties('categories').flatMap((one) => one.getValues()).sort(),
    status: value('status'),
    all_day: value('dtstart').isDate,
    start: moment(event, 'dtstart'),
    end: moment(event, 'dtend'),
  };
}

function check(ics, expected) {
  const there = events(ics);
  assert.deepEqual([...there.keys()].sort(), Object.keys(expected).sort());
  for (const [address, shown] of Object.entries(expected)) {
    const read = found(there.get(address));
    // Behind the name of a place stands its address.
    read.place = read.place && read.place.slice(0, (shown.place ?? '').length);
    const point = shown.point && shown.point.map(rounded);
    const categories = [...shown.categories].sort();
    assert.deepEqual(read, { ...shown, point, categories });
  }
}

describe('events of any sort', () => {
  let directory;
  let cases;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'calendar-feeds-'));
    const file = join(directory, 'cases');
    const invented = spawnSync(PYTHON, ['tests/clients/invented_events.py', CASES, file], {
      cwd: ROOT,
      env: { ...process.env, PYTHONPATH: join(ROOT, 'tests') },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    assert.equal(invented.status, 0);
    cases = (await readFile(file, 'utf8')).trim().split('\n').map((line) => JSON.parse(line));
  });

  after(() => directory && rm(directory, { recursive: true, force: true }));

  test('are read as the JSON shows them', () => {
    const zones = new Set(cases.flatMap(({ ics }) => ics.match(/^TZID:.+$/gm) ?? []));
    assert.ok(zones.size > 200, `There are ${zones.size} zones.`);
    cases.forEach(({ ics, events: shown }) => check(ics, shown));
  });
});

describe('the demo calendar', () => {
  const window = 'start_date=2000-01-01&end_date=2100-01-01&per_page=50';
  const plain = (html) => html.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
  const utc = (text) => `${text.replace(' ', 'T')}Z`;
  const get = async (address) => {
    const answer = await fetch(address);
    assert.equal(answer.status, 200, address);
    return answer;
  };
  // The events of all pages of a list, and the feeds that the first one names.
  const walk = async (address) => {
    const listed = [];
    let feeds;
    for (let next = address; next; ) {
      const page = await (await get(next)).json();
      listed.push(...page.events);
      feeds ??= page.feeds;
      next = page.next_rest_url;
    }
    return { feeds, listed };
  };
  let service;

  before(async () => {
    service = await startService();
  });

  after(() => service?.end());

  const inOrder = (dates) =>
    dates.map((each) => JSON.stringify(each, ['start', 'end', 'title', 'language'])).sort();

  for (const tongue of ['de', 'rm']) {
    test(`is read in ${tongue} as the list shows it`, async () => {
      const asked = `${service.site}${BASE}/events?${window}&wpml_language=${tongue}`;
      const { feeds, listed } = await walk(asked);
      const other = { de: 'rm', rm: 'de' }[tongue];
      const shown = listed.map((event) => ({
        start: event.all_day ? event.start_date.slice(0, 10) : utc(event.utc_start_date),
        end: event.all_day ? null : utc(event.utc_end_date),
        title: plain(event.title),
        language: event.fallback_fields.includes('title') ? other : tongue,
      }));
      const read = occurrences(await (await get(feeds.ics)).text());
      assert.deepEqual(inOrder(read), inOrder(shown));
      assert.ok(read.length > new Set(read.map(({ uid }) => uid)).size, 'There is no series.');
    });
  }

  test('has a feed of each event, under the identifier of its series', async () => {
    const { feeds, listed } = await walk(`${service.site}${BASE}/events?${window}`);
    const read = occurrences(await (await get(feeds.ics)).text());
    const known = new Set(read.map(({ uid, start }) => `${uid} ${start}`));
    for (const shown of listed) {
      const [[address, event]] = events(await (await get(shown.feeds.ics)).text());
      assert.equal(address, shown.url);
      const start = instant(event.getFirstPropertyValue('dtstart'));
      assert.ok(known.has(`${event.getFirstPropertyValue('uid')} ${start}`), shown.url);
    }
  });
});
