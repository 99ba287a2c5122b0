// @ts-check
// What a program does with the types that openapi-typescript generates; tsc checks this file.

import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';

/** @typedef {import('./generated/schema.d.ts').paths} Paths */
/** @typedef {import('./generated/schema.d.ts').components['schemas']} Schemas */

/**
 * @param {string} baseUrl
 * @param {string} password
 */
export async function writeAndRead(baseUrl, password) {
  /** @type {import('openapi-fetch').Client<Paths>} */
  const client = createClient({
    baseUrl,
    headers: { Authorization: `Basic ${btoa(`admin:${password}`)}` },
    querySerializer: { array: { style: 'form', explode: false } },
  });

  const listed = await client.GET('/events', {
    params: { query: { per_page: 2, order: 'desc', _fields: ['total', 'events'] } },
  });
  assert.ok(listed.data?.total);
  assert.equal(listed.data.events?.length, 2);
  assert.equal(listed.data.rest_url, undefined);

  const minimal = await client.POST('/events', {
    body: { title: 'Probe', start_date: '2030-03-09 19:00:00', end_date: '2030-03-09 21:00:00' },
  });
  assert.equal(minimal.response.status, 201);

  const created = await client.POST('/events', {
    body: {
      title: 'Konzert',
      start_date: '2030-03-10 19:00:00',
      end_date: '2030-03-10 21:30:00',
      status: 'publish',
      venue: { venue: 'Alte Mühle', city: 'Chur' },
      categories: ['Musik'],
      variants: { rm: { title: 'Concert' } },
    },
  });
  assert.equal(created.response.status, 201);
  const id = created.data?.id;
  assert.ok(id);

  const path = { id };
  const read = await client.GET('/events/{id}', { params: { path } });
  assert.ok(read.data);
  assert.equal(read.data.title, 'Konzert');
  assert.equal(read.data.translations?.rm?.status, 'current');

  const changed = await client.PATCH('/events/{id}', {
    params: { path },
    body: { title: 'Abendkonzert' },
  });
  assert.equal(changed.data?.title, 'Abendkonzert');

  const sentBack = await client.PUT('/events/{id}', {
    params: { path },
    body: /** @type {Schemas['EventUpdate']} */ ({ ...changed.data, featured: true }),
  });
  assert.equal(sentBack.response.status, 200);
  assert.equal(sentBack.data?.featured, true);
  assert.deepEqual(sentBack.data?.venue, changed.data?.venue);
}
