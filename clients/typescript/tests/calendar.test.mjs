// What programs do with a calendar, on a service.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { startService } from '../../../tests/clients/service.mjs';
import { Calendar, CalendarError, NoAnswer } from '../dist/index.js';

const EVENT = { title: 'Probe', start_date: '2031-05-04 19:00', end_date: '2031-05-04 21:00' };
const AT_ONCE = { first: 1 };

let service;
let base;
let calendar;

before(async () => {
  service = await startService();
  base = `${service.site}/wp-json/tribe/events/v1`;
  calendar = new Calendar(base, { user: 'admin', password: service.password });
});

after(() => service.end());

async function all(generator) {
  const records = [];
  for await (const record of generator) records.push(record);
  return records;
}

// Makes a calendar that does what is planned for each request; `asked` has all of them.
function faulty(...planned) {
  const asked = [];
  const known = { user: 'admin', password: service.password };
  const own = async (address, options) => {
    asked.push({ address, ...options });
    const fault = planned.shift();
    if (fault instanceof Response) return fault;
    const response = await fetch(address, options);
    if (fault) throw fault;
    return response;
  };
  const make = (options = known) => new Calendar(base, { ...options, retries: AT_ONCE, fetch: own });
  return { asked, make };
}

function refusal(status, code, headers = {}) {
  const body = JSON.stringify({ code, message: 'No.', data: { status } });
  return new Response(body, { status, headers });
}

const refusedWith = (status, code) => (error) => {
  assert.ok(error instanceof CalendarError);
  assert.deepEqual([error.status, error.code], [status, code]);
  return true;
};

describe('reading', () => {
  test('all pages of a list are walked once', async () => {
    const ids = (await all(calendar.events.list({ per_page: 20 }))).map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(ids.length, await calendar.events.count());
    assert.ok(ids.length > 20);
  });

  test('lists, dates and what is not given are sent as the interface has them', async () => {
    const events = await all(calendar.events.list());
    const event = events.find(({ categories }) => categories.length);
    const found = await all(calendar.events.list({
      categories: event.categories.map(({ slug }) => slug), start_date: event.start_date, venue: null,
    }));
    assert.ok(found.some(({ id }) => id === event.id));
  });

  test('events near a point come by date, with their distance', async () => {
    const near = { geoloc_lat: 46.8508, geoloc_lng: 9.532, geoloc_radius: 300, distance: true };
    const { records } = await calendar.events.page(near);
    assert.ok(records.length > 1);
    const starts = records.map((event) => event.start_date);
    assert.deepEqual(starts, [...starts].sort());
    for (const event of records) assert.equal(typeof event.distance, 'number');
  });

  test('texts are in the language that is asked for, else in that of the client', async () => {
    const events = await all(calendar.events.list());
    const event = events.find(({ translations }) => translations.rm.status === 'current');
    const romansh = await calendar.events.get(event.id, { language: 'rm' });
    assert.notEqual(romansh.title, event.title);
    const reader = new Calendar(base, { language: 'rm' });
    assert.equal((await reader.events.getBySlug(romansh.slug)).title, romansh.title);
  });

  test('what is not there is told', async () => {
    await assert.rejects(calendar.events.get(999999), refusedWith(404, 'rest-event-not-found'));
  });
});

describe('writing', () => {
  test('an event is created, changed and deleted', async () => {
    const made = await calendar.events.create({ ...EVENT, status: 'publish', tags: ['Neu'] });
    const changed = await calendar.events.update(made.id, { cost: '15' });
    assert.deepEqual([changed.title, changed.cost_details.values], [made.title, ['15']]);
    assert.equal((await calendar.events.delete(made.id)).status, 'trash');
    await assert.rejects(calendar.events.delete(made.id), refusedWith(410, 'event-is-in-trash'));
  });

  test('messages are in English unless a language is asked for', async () => {
    const refused = (options) => new Calendar(base, options).events.page({ per_page: 'many' });
    await assert.rejects(refused({}), /^CalendarError: Invalid/);
    await assert.rejects(refused({ language: 'de' }), /^CalendarError: Ungültig/);
  });

  test('wrong fields are named', async () => {
    await assert.rejects(calendar.events.create({ ...EVENT, end_date: '2031-05-03' }), (error) => {
      assert.deepEqual(Object.keys(error.params), ['end_date']);
      return true;
    });
    await assert.rejects(calendar.events.create({ title: 'Nichts' }), (error) => {
      assert.deepEqual(new Set(Object.keys(error.params)), new Set(['start_date', 'end_date']));
      assert.ok(Object.values(error.reasons).every(Boolean));
      return true;
    });
  });

  test('a change of others is not overwritten, and an edit starts again', async () => {
    const made = await calendar.events.create(EVENT);
    const { etag } = await calendar.events.read(made.id);
    await calendar.events.update(made.id, { title: 'Schneller' });
    await assert.rejects(
      calendar.events.update(made.id, { title: 'Zu spät' }, { etag }),
      refusedWith(412, 'precondition_failed'),
    );
    const seen = [];
    const slow = faulty(null, refusal(412, 'precondition_failed'));
    const edited = await slow.make().events.edit(made.id, ({ title }) => {
      seen.push(title);
      return { title: `${title}!` };
    });
    assert.deepEqual([edited.title, seen.length], ['Schneller!', 2]);
  });
});

describe('following', () => {
  async function mirror(reader, copy, since) {
    let token = since;
    for await (const batch of reader.changes(token)) {
      for (const { id, change, record } of batch.changes) {
        if (change === 'delete') copy.delete(id);
        else copy.set(id, record);
      }
      token = batch.next;
    }
    return token;
  }

  test('a copy is that of the list through all changes, in both languages', async () => {
    for (const language of ['de', 'rm']) {
      const reader = new Calendar(base, { language });
      const copy = new Map();
      const token = await mirror(reader, copy, 'start');
      const made = await calendar.events.create({ ...EVENT, status: 'publish' });
      const [gone] = (await reader.events.page()).records;
      await calendar.events.delete(gone.id);
      await mirror(reader, copy, token);
      const always = { start_date: '2000-01-01', end_date: '2100-01-01' };
      const listed = await all(reader.events.list(always));
      assert.deepEqual([...copy.keys()].sort(), listed.map(({ id }) => id).sort());
      assert.ok(copy.has(made.id) && !copy.has(gone.id));
      for (const event of listed) assert.equal(copy.get(event.id).title, event.title);
    }
  });

  test('who follows is told, until they stop', async () => {
    const stop = new AbortController();
    let token;
    for await (const { next } of calendar.changes()) token = next;
    const made = await calendar.events.create({ ...EVENT, status: 'publish' });
    const seen = [];
    const follow = async () => {
      for await (const { changes } of calendar.changes(token, { follow: true, signal: stop.signal })) {
        seen.push(...changes.map(({ id, change }) => [id, change]));
        stop.abort();
      }
    };
    await assert.rejects(follow(), { name: 'AbortError' });
    assert.deepEqual(seen, [[made.id, 'upsert']]);
  });

  test('a token that is none is refused', async () => {
    await assert.rejects(all(calendar.changes('junk')), refusedWith(400, 'rest_invalid_param'));
  });
});

describe('troubles', () => {
  test('a write whose answer is lost is done once', async () => {
    const lossy = faulty(new TypeError('lost'), new TypeError('lost'));
    const made = await lossy.make().organizers.create({ organizer: 'Nur einmal', status: 'publish' });
    const found = await all(calendar.organizers.list({ search: 'Nur einmal' }));
    assert.deepEqual(found.map(({ id }) => id), [made.id]);
    const keys = lossy.asked.map(({ headers }) => headers['Idempotency-Key']);
    assert.deepEqual([keys.length, new Set(keys).size], [3, 1]);
  });

  test('a write of nobody is not repeated blindly', async () => {
    const lossy = faulty(new TypeError('lost'));
    await assert.rejects(lossy.make({}).events.create(EVENT), NoAnswer);
    assert.equal(lossy.asked.length, 1);
  });

  for (const [status, code] of [[429, 'too_many_requests'], [503, ''], [409, 'edit_conflict']]) {
    test(`${status} ${code} is waited for`, async () => {
      const busy = faulty(refusal(status, code, { 'Retry-After': '0' }));
      await busy.make().events.count();
      assert.equal(busy.asked.length, 2);
    });
  }

  test('a longer pause than one has patience for is told', async () => {
    const busy = faulty(refusal(429, 'too_many_requests', { 'Retry-After': '3600' }));
    await assert.rejects(busy.make().events.count(), (error) => error.retryAfter === 3600);
  });

  test('links between pages never lead to another host', async () => {
    const page = { events: [], total: 2, next_rest_url: 'https://evil.example/x?page=2' };
    const proxied = faulty(Response.json(page));
    await all(proxied.make().events.list());
    assert.ok(proxied.asked.every(({ address }) => address.startsWith(base)));
    assert.match(proxied.asked[1].address, /page=2/);
  });

  test('who gives up waits no longer', async () => {
    const ended = AbortSignal.abort();
    await assert.rejects(calendar.events.page({ signal: ended }), { name: 'AbortError' });
  });
});
