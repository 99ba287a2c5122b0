// The npm package "wpapi", which knows nothing of this service, finds its routes and uses them.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import WPAPI from 'wpapi';
import { startService } from './service.mjs';

const NAMESPACE = 'tribe/events/v1';
const KINDS = ['events', 'venues', 'organizers', 'categories', 'tags'];

let service;
let site;
let core;

const list = (kind) => site[kind]().perPage(50);
const ids = (records) => records.map(({ id }) => id);

before(async () => {
  service = await startService();
  const found = await WPAPI.discover(service.site);
  found.auth({ username: 'admin', password: service.password });
  site = found.namespace(NAMESPACE);
  core = found.namespace('wp/v2');
});

after(() => service?.end());

const refusal = (status, code) => (error) => {
  assert.equal(error.data.status, status);
  assert.equal(error.code, code);
  return true;
};

describe('finding the interface', () => {
  test('an address of the site leads to the index', async () => {
    const headers = await WPAPI.site(`${service.site}/wp-json`).root().headers();
    assert.equal(headers.link, `<${service.site}/wp-json/>; rel="https://api.w.org/"`);
    const index = await WPAPI.site(`${service.site}/wp-json`).root().get();
    assert.deepEqual(index.namespaces, [NAMESPACE, 'wp/v2']);
    assert.equal(index.url, service.site);
  });

  test('the index gives a handler for every kind of record', () => {
    for (const kind of KINDS) {
      assert.equal(typeof site[kind], 'function', kind);
    }
  });

  test('the routes of the namespace alone are enough', async () => {
    const root = await WPAPI.site(`${service.site}/wp-json`).root(NAMESPACE).get();
    assert.equal(root.namespace, NAMESPACE);
    const made = new WPAPI({ endpoint: `${service.site}/wp-json`, routes: root.routes });
    const { events } = await made.namespace(NAMESPACE).events().perPage(1).get();
    assert.equal(events.length, 1);
  });

  test('an id is of digits, as the pattern of the route says', () => {
    assert.throws(() => site.events().id('next').toString(), /Invalid path component/);
    const address = `${service.site}/wp-json/${NAMESPACE}/events/7`;
    assert.equal(site.events().id(7).toString(), address);
  });
});

describe('reading', () => {
  test('every kind is listed with its totals', async () => {
    for (const kind of KINDS) {
      const page = await list(kind).get();
      assert.ok(page[kind].length > 0, kind);
      assert.equal(page._paging.total, page.total);
      assert.equal(page._paging.totalPages, page.total_pages);
    }
  });

  test('pages in sequence hold every event once', async () => {
    const walked = [];
    let total;
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const one = await site.events().perPage(20).page(page).get();
      ({ total, totalPages: pages } = one._paging);
      walked.push(...ids(one.events));
    }
    assert.ok(total > 20);
    assert.equal(walked.length, total);
    assert.equal(new Set(walked).size, total);
    const beyond = site.events().perPage(20).page(99).get();
    await assert.rejects(beyond, refusal(404, 'event-archive-page-not-found'));
  });

  test('events are filtered by words, terms, venues and dates', async () => {
    const [event] = (await list('events').get()).events.filter((one) => one.categories.length);
    const [category] = event.categories;
    const filters = {
      search: event.title,
      categories: [category.id],
      venue: event.venue.id,
      start_date: event.start_date,
      wpml_language: 'de',
    };
    for (const [name, value] of Object.entries(filters)) {
      const found = await list('events').param(name, value).get();
      assert.ok(ids(found.events).includes(event.id), name);
    }
    const { events } = await list('events').param(filters).get();
    assert.ok(ids(events).includes(event.id));
    for (const { venue, categories } of events) {
      assert.equal(venue.id, event.venue.id);
      assert.ok(ids(categories).includes(category.id));
    }
    const none = await list('events').search('xyzzy').get();
    assert.deepEqual(none.events, []);
  });

  test('terms are included, left out and ordered', async () => {
    const { categories } = await list('categories').get();
    const [first, second, ...others] = ids(categories);
    const asked = await list('categories').include([first, second]).get();
    assert.deepEqual(new Set(ids(asked.categories)), new Set([first, second]));
    const rest = await list('categories').exclude([first, second]).get();
    assert.deepEqual(ids(rest.categories), others);
    const backwards = await list('categories').orderby('id').order('desc').get();
    assert.deepEqual(ids(backwards.categories), ids(categories).sort((a, b) => b - a));
  });

  test('a record is read by its id and by its slug, in either language', async () => {
    const { events } = await list('events').get();
    const [event] = events.filter(({ translations }) => translations.rm.status === 'current');
    const german = await site.events().id(event.id).get();
    assert.equal(german.title, event.title);
    const romansh = await site.events().id(event.id).param('wpml_language', 'rm').get();
    assert.notEqual(romansh.title, german.title);
    const found = await site.events().bySlug(romansh.slug).get();
    assert.equal(found.id, event.id);
    assert.equal(found.title, german.title);
  });

  test('each date of a series is read by the slug that it shows', async () => {
    const dates = (await list('events').param('recurring', true).get()).events;
    assert.ok(dates.length > 1);
    for (const { id, slug } of dates) {
      assert.equal((await site.events().bySlug(slug).get()).id, id);
    }
  });

  test('what is not there is an error with the code that The Events Calendar has', async () => {
    await assert.rejects(site.events().id(999999).get(), refusal(404, 'rest-event-not-found'));
    await assert.rejects(site.venues().id(999999).get(), refusal(400, 'rest_invalid_param'));
    await assert.rejects(site.events().param('page', 0).get(), refusal(400, 'rest_invalid_param'));
  });
});

describe('writing', () => {
  const times = { start_date: '2031-05-04 19:00:00', end_date: '2031-05-04 21:00:00' };

  test('nobody may write without signing in', async () => {
    const stranger = (await WPAPI.discover(service.site)).namespace(NAMESPACE);
    const sent = stranger.events().create({ title: 'Nein', ...times });
    await assert.rejects(sent, refusal(401, 'rest_forbidden'));
  });

  test('an event is created with its venue, changed, and moved to the trash', async () => {
    const made = await site.events().create({
      title: 'Lesung & Musik',
      ...times,
      status: 'publish',
      venue: { venue: 'Haus am Bach', city: 'Dorta' },
      organizer: [{ organizer: 'Leseverein' }],
      categories: ['Lesungen'],
      tags: ['neu', 'Musik'],
    });
    assert.equal(made.title, 'Lesung &amp; Musik');
    assert.equal(made.venue.venue, 'Haus am Bach');
    assert.deepEqual(made.categories.map(({ name }) => name), ['Lesungen']);

    const changed = await site.events().id(made.id).update({ cost: '15', featured: true });
    assert.equal(changed.cost_details.values[0], '15');
    assert.equal(changed.featured, true);
    assert.deepEqual([changed.title, changed.venue], [made.title, made.venue]);

    const there = await list('events').param({ ...times, venue: made.venue.id }).get();
    assert.deepEqual(ids(there.events), [made.id]);

    const gone = await site.events().id(made.id).delete();
    assert.equal(gone.id, made.id);
    await assert.rejects(site.events().id(made.id).get(), refusal(403, 'event-no-longer-available'));
    await assert.rejects(site.events().id(made.id).delete(), refusal(410, 'event-is-in-trash'));
  });

  test('an event that is sent back as it was read stays as it was', async () => {
    const { events: [{ id }] } = await site.events().perPage(1).get();
    const { modified, modified_utc, ...shown } = await site.events().id(id).get();
    await site.events().id(id).update(shown);
    const { modified: _, modified_utc: __, ...after } = await site.events().id(id).get();
    assert.deepEqual(after, shown);
  });

  test('a second language is added to an event', async () => {
    const made = await site.events().create({ title: 'Markt', ...times, status: 'publish' });
    await site.events().id(made.id).param('wpml_language', 'rm').update({ title: 'Fiera' });
    const romansh = await site.events().id(made.id).param('wpml_language', 'rm').get();
    const german = await site.events().id(made.id).get();
    assert.deepEqual([german.title, romansh.title], ['Markt', 'Fiera']);
    await site.events().id(made.id).delete();
  });

  const linked = [
    ['venues', 'venue', { city: 'Dorta', zip: '7000' }, { city: 'Valdorta' }],
    ['organizers', 'organizer', { email: 'a@example.org' }, { phone: '081 000 00 00' }],
  ];
  for (const [kind, name, more, change] of linked) {
    test(`${kind} are created, changed, found and moved to the trash`, async () => {
      const made = await site[kind]().create({ [name]: `Neu ${kind}`, status: 'publish', ...more });
      assert.equal(made[name], `Neu ${kind}`);
      const changed = await site[kind]().id(made.id).update(change);
      assert.deepEqual(changed, { ...changed, ...more, ...change });
      assert.equal((await site[kind]().bySlug(made.slug).get()).id, made.id);
      const found = await list(kind).search(`neu ${kind}`).get();
      assert.deepEqual(ids(found[kind]), [made.id]);
      await site[kind]().id(made.id).delete();
      const again = site[kind]().id(made.id).delete();
      await assert.rejects(again, refusal(410, `${name}-is-in-trash`));
    });
  }

  for (const kind of ['categories', 'tags']) {
    test(`${kind} are created, changed, found and deleted for good`, async () => {
      const made = await site[kind]().create({ name: `Neu ${kind}` });
      assert.equal(made.slug, `neu-${kind}`);
      const changed = await site[kind]().id(made.id).update({ description: 'Anders' });
      assert.deepEqual(changed, { ...made, description: changed.description });
      assert.match(changed.description, /Anders/);
      const found = await list(kind).param('hide_empty', false).slug(made.slug).get();
      assert.deepEqual(ids(found[kind]), [made.id]);
      await assert.rejects(site[kind]().create({ name: made.name }), refusal(400, 'term_exists'));
      await site[kind]().id(made.id).delete();
      await assert.rejects(site[kind]().id(made.id).get(), refusal(400, 'rest_invalid_param'));
    });
  }
});

describe("WordPress' own routes", () => {
  test('the index gives a handler for each of them', async () => {
    for (const name of ['tribe_events', 'tribe_venue', 'tribe_organizer', 'tribe_events_cat', 'tags']) {
      const page = await core[name]().perPage(2);
      assert.ok(page.length > 0 && page.length <= 2, name);
      assert.ok(page._paging.total >= page.length, name);
    }
  });

  test('pages follow each other by their links', async () => {
    const walked = [];
    for (let page = core.tribe_events().perPage(40); page;) {
      const records = await page.get();
      walked.push(...ids(records));
      page = records._paging.next;
      if (!page) assert.equal(walked.length, records._paging.total);
    }
    assert.equal(new Set(walked).size, walked.length);
    const beyond = core.tribe_events().page(999).get();
    await assert.rejects(beyond, refusal(400, 'rest_post_invalid_page_number'));
  });

  test('a venue is looked for, created, found, and named by an event', async () => {
    const name = 'Alte Mühle & Garten';
    assert.deepEqual([...await core.tribe_venue().search(name).get()], []);
    const made = await core.tribe_venue().create({
      title: name, status: 'publish', meta: { _VenueCity: 'Dorta', _VenueZip: '7000' },
    });
    const [found] = await core.tribe_venue().search(name).get();
    assert.deepEqual([found.id, found.title.rendered], [made.id, 'Alte Mühle &amp; Garten']);
    const times = { start_date: '2031-05-04 19:00:00', end_date: '2031-05-04 21:00:00' };
    const event = await site.events().create({ title: 'Mahlen', ...times, venue: made.id });
    assert.equal(event.venue.city, 'Dorta');
    const shown = await core.tribe_events().id(event.id).context('edit').get();
    assert.deepEqual(shown.meta._EventVenueID, [made.id]);
    await core.tribe_venue().id(made.id).delete({ force: true });
  });

  test('terms are looked for by slug, and created where they lack', async () => {
    for (const taxonomy of ['tags', 'tribe_events_cat']) {
      assert.deepEqual([...await core[taxonomy]().slug('ganz-neu').get()], []);
      const made = await core[taxonomy]().create({ name: 'Ganz neu' });
      const [found] = await core[taxonomy]().slug('ganz-neu').get();
      assert.equal(found.id, made.id);
      await assert.rejects(core[taxonomy]().create({ name: 'Ganz neu' }), refusal(400, 'term_exists'));
      await core[taxonomy]().id(made.id).delete({ force: true });
    }
  });

  test('a picture is uploaded, and shown by an event that is embedded with it', async () => {
    const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const picture = await core.media().file(Buffer.from(dot, 'base64'), 'dot.png').create({});
    const times = { start_date: '2031-05-04 19:00:00', end_date: '2031-05-04 21:00:00' };
    const event = await site.events().create({ title: 'Bild', ...times, status: 'publish' });
    await core.tribe_events().id(event.id).update({ featured_media: picture.id });
    const shown = await core.tribe_events().id(event.id).embed().get();
    assert.equal(shown._embedded['wp:featuredmedia'][0].source_url, picture.source_url);
    await site.events().id(event.id).delete();
  });
});
