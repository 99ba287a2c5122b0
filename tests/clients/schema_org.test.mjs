// The npm package "schema-dts" has the vocabulary of schema.org as types: the TypeScript compiler
// says whether each property belongs to its type, and each value to the property.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { startService } from './service.mjs';

const FILE = fileURLToPath(new URL('described.ts', import.meta.url));
const OPTIONS = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Node16,
  moduleResolution: ts.ModuleResolutionKind.Node16,
};
const KINDS = {
  events: 'Event',
  venues: 'Place',
  organizers: 'Organization',
  categories: 'DefinedTerm',
  tags: 'DefinedTerm',
};
const DAY = { start_date: '2030-03-10 19:00:00', end_date: '2030-03-10 22:00:00' };
const KNOWN = {
  ...DAY,
  title: 'Tom & Jerry',
  description: '<p>An <b>evening</b></p>',
  website: 'https://tickets.example/?a=1&b=2',
  cost: '10-20 EUR',
  image: 'https://pictures.example/a.png',
  online_url: 'https://stream.example/live',
  accessibility: ['wheelchair', 'sign_language', 'captions'],
  in_language: ['de', 'en'],
  audience: { min_age: 6, max_age: 12, groups: ['families', 'children'] },
  registration: { url: 'https://tickets.example/1', opens: '2030-01-01', closes: '2030-03-01' },
  venue: { venue: 'Hall', address: 'Street 1', city: 'Chur', zip: '7000', geo_lat: 46, geo_lng: 9 },
  organizer: [
    { organizer: 'Club', email: 'info@club.example', phone: '1', website: 'https://club.example' },
    { organizer: 'Town' },
  ],
};

// A PNG of 400 by 300 pixels, all of them black.
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAZAAAAEsAQAAAADFzNhvAAAAJklEQVR42u3BMQEAAADCoPVPbQlPoAAAAAAAAAAAAAAA' +
  'AAAAgKcBO8QAAfyeO9sAAAAASUVORK5CYII=';

// The compiler takes so long that the service has closed a connection before it is used again.
const ONCE = { connection: 'close' };

let service;
let base;
let authorization;

before(async () => {
  service = await startService();
  base = `${service.site}/wp-json/tribe/events/v1`;
  const secret = Buffer.from(`admin:${service.password}`).toString('base64');
  authorization = `Basic ${secret}`;
});

after(() => service?.end());

async function listed(kind) {
  const address = `${base}/${kind}?per_page=50&hide_empty=false`;
  const answer = await fetch(address, { headers: ONCE });
  return (await answer.json())[kind];
}

async function described(kind, id) {
  const headers = { ...ONCE, accept: 'application/ld+json' };
  const answer = await fetch(`${base}/${kind}/${id}`, { headers });
  assert.equal(answer.headers.get('content-type'), 'application/ld+json');
  return answer.json();
}

async function made(path, body, type = 'application/json') {
  const headers = { authorization, 'content-type': type };
  const answer = await fetch(`${base}/${path}`, { method: 'POST', headers, body });
  assert.equal(answer.status, 201);
  return answer.json();
}

// Answers what the compiler finds wrong with documents of linked data, each with its type.
function faults(documents) {
  const types = [...new Set(Object.values(KINDS))].join(', ');
  const lines = documents.map(
    ([type, json], i) => `export const d${i}: WithContext<${type}> = ${JSON.stringify(json)};`,
  );
  const text = [`import type { ${types}, WithContext } from 'schema-dts';`, ...lines].join('\n');
  const host = ts.createCompilerHost(OPTIONS);
  const onDisk = host.getSourceFile;
  host.getSourceFile = (name, ...others) =>
    name === FILE ? ts.createSourceFile(name, text, OPTIONS.target) : onDisk(name, ...others);
  const program = ts.createProgram([FILE], OPTIONS, host);
  return ts.getPreEmitDiagnostics(program).map(
    ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '),
  );
}

describe('the vocabulary of schema.org', () => {
  for (const [kind, type] of Object.entries(KINDS)) {
    test(`has words for all ${kind} of the demo calendar`, async () => {
      const records = await listed(kind);
      assert.ok(records.length > 0);
      const documents = await Promise.all(records.map(({ id }) => described(kind, id)));
      assert.deepEqual(faults(documents.map((document) => [type, document])), []);
    });
  }

  test('has words for whatever can be known of an event', async () => {
    const variants = [
      {},
      { event_status: 'canceled', attendance_mode: 'online' },
      { event_status: 'postponed', attendance_mode: 'mixed' },
      { all_day: true, cost: 'Free' },
      { cost: 'Donation', venue: [], organizer: [] },
    ];
    const documents = [];
    for (const variant of variants) {
      const { id } = await made('events', JSON.stringify({ ...KNOWN, ...variant }));
      documents.push(['Event', await described('events', id)]);
    }
    assert.equal(documents[2][1].location.length, 2);
    assert.deepEqual(faults(documents), []);
  });

  test('has words for a picture in all its sizes', async () => {
    const bitmap = Buffer.from(PICTURE, 'base64');
    const { id: image } = await made('media', bitmap, 'image/png');
    const { id } = await made('events', JSON.stringify({ ...KNOWN, image }));
    const document = await described('events', id);
    assert.ok(document.image.length > 1);
    assert.deepEqual(faults([['Event', document]]), []);
  });

  const wrong = [
    { doors: '19:00' },
    { eventStatus: 'canceled' },
    { isAccessibleForFree: 'yes' },
    { location: { '@type': 'PostalAddress', zip: '7000' } },
    { location: [{ '@type': 'Place', color: 'red' }] },
    { offers: { '@type': 'Offer', availability: 'Plenty' } },
    { image: { '@type': 'ImageObject', width: 300 } },
    { performer: 7 },
  ];
  for (const told of wrong) {
    test(`has no words for ${JSON.stringify(told)}`, () => {
      const event = { '@context': 'https://schema.org', '@type': 'Event', ...told };
      assert.equal(faults([['Event', event]]).length, 1);
    });
  }
});
