// A calendar, and the records of each kind in it.

import { CalendarError } from './errors.js';
import { type Parameters, queryOf } from './parameters.js';
import type {
  Category, CategoryFilters, CategoryUpdate, Event, EventFilters, EventUpdate, NewCategory,
  NewEvent, NewOrganizer, NewTag, NewVenue, Organizer, OrganizerFilters, OrganizerUpdate, Tag,
  TagFilters, TagUpdate, Venue, VenueFilters, VenueUpdate,
} from './records.js';
import { call, type Door, type Retries, type Sent, sleep } from './requests.js';

export interface Options {
  // A user of the calendar, and one of their application passwords.
  readonly user?: string;
  readonly password?: string;
  // The language of all requests that name no other.
  readonly language?: string;
  readonly retries?: Partial<Retries>;
  // The language in which refusals are worded where no other is asked for: English, for programs
  // and logs. Empty: that of the browser.
  readonly messages?: string;
  readonly fetch?: typeof fetch;
}

// Filters of a list, in the types of the interface, and the language of the request.
export type Filters<F> = { readonly [Name in keyof F]?: F[Name] | null } & {
  readonly language?: string; readonly signal?: AbortSignal;
};

export interface WriteOptions {
  readonly language?: string;
  // Once for each key, also after a restart; without one, once for each call.
  readonly key?: string;
  // Only if the record still is as it was read.
  readonly etag?: string;
  readonly signal?: AbortSignal;
}

// A record, and the entity tag of the state in which it was.
export interface Versioned<R> {
  readonly record: R;
  readonly etag: string;
}

// A record that was written, or one that is to be seen no more.
export interface Change {
  readonly kind: string;
  readonly id: number;
  readonly change: 'upsert' | 'delete';
  readonly modified: string;
  readonly record?: Readonly<Record<string, unknown>>;
  readonly tombstone?: Readonly<Record<string, unknown>>;
}

// Changes in the order in which they were made, and the token behind them.
export interface Batch {
  readonly changes: readonly Change[];
  readonly next: string;
  readonly more: boolean;
}

const RETRIES: Retries = { attempts: 5, first: 500, longest: 30_000 };
// In seconds: how long an answer may be held, and how often changes are asked for at most.
const HELD = 25;
const SHORTEST_PAUSE = 1;

export class Calendar {
  readonly base: string;
  readonly language: string;
  readonly events: Collection<Event, EventFilters, NewEvent, EventUpdate>;
  readonly venues: Collection<Venue, VenueFilters, NewVenue, VenueUpdate>;
  readonly organizers: Collection<Organizer, OrganizerFilters, NewOrganizer, OrganizerUpdate>;
  readonly categories: Collection<Category, CategoryFilters, NewCategory, CategoryUpdate>;
  readonly tags: Collection<Tag, TagFilters, NewTag, TagUpdate>;
  readonly #door: Door;

  // `base` is the address of the interface, such as https://…/calendar/events/v1.
  constructor(base: string, options: Options = {}) {
    this.base = base.replace(/\/+$/, '');
    this.language = options.language ?? '';
    this.#door = {
      fetch: options.fetch ?? ((...request) => fetch(...request)),
      authorization: authorizationOf(options.user ?? '', options.password ?? ''),
      retries: { ...RETRIES, ...options.retries },
      messages: options.messages ?? 'en',
    };
    this.events = new Collection(this, 'events');
    this.venues = new Collection(this, 'venues');
    this.organizers = new Collection(this, 'organizers');
    this.categories = new Collection(this, 'categories');
    this.tags = new Collection(this, 'tags');
  }

  // Yields what changed behind a token, batch by batch; keep `next` once a batch is done.
  // `start` in place of a token gives every record first, and none what changes from now on. With
  // `follow` it never ends. A token that is too old is refused with status 410.
  async* changes(
    since = '', { follow = false, signal, ...filters }: ChangesOptions = {},
  ): AsyncGenerator<Batch, void, undefined> {
    for (let token = since; ;) {
      const wait = follow ? HELD : undefined;
      const query = { ...filters, since: token || undefined, wait };
      const sent = { signal, timeout: (HELD + 30) * 1000 };
      const response = await this.send('GET', '/changes', query, sent);
      const batch = await response.json() as Batch;
      if (batch.changes.length || !token) yield batch;
      token = batch.next;
      if (batch.more) continue;
      if (!follow) return;
      const pause = Number(response.headers.get('Retry-After') ?? 0);
      await sleep(Math.max(pause, SHORTEST_PAUSE) * 1000, signal);
    }
  }

  // Sends one request below the base; for routes that have no method of their own here.
  send(method: string, path: string, parameters: Parameters = {}, sent: Sent = {}): Promise<Response> {
    const query = queryOf({ language: this.language || undefined, ...parameters }).toString();
    return call(this.#door, method, `${this.base}${path}${query && `?${query}`}`, sent);
  }
}

interface ChangesOptions {
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
  readonly language?: string;
  readonly [filter: string]: unknown;
}

function authorizationOf(user: string, password: string): string {
  if (!user) return '';
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

interface PageBody {
  readonly total: number;
  readonly next_rest_url?: string;
  readonly [name: string]: unknown;
}

// One page of a list; `next` has the parameters of the next one.
export interface Page<R> {
  readonly records: readonly R[];
  readonly total: number;
  readonly next: Parameters | null;
}

export class Collection<R, F, N, U> {
  readonly #calendar: Calendar;
  readonly #name: string;

  constructor(calendar: Calendar, name: string) {
    this.#calendar = calendar;
    this.#name = name;
  }

  // Yields all records of a list, page by page.
  async* list(filters: Filters<F> = {}): AsyncGenerator<R, void, undefined> {
    const { signal } = filters;
    for (let page = await this.page(filters); ; page = await this.#page(page.next, signal)) {
      yield* page.records;
      if (!page.next) return;
    }
  }

  page(filters: Filters<F> = {}): Promise<Page<R>> {
    const { signal, ...parameters } = filters;
    return this.#page(parameters as Parameters, signal);
  }

  // Reads a page that follows another one.
  following(page: Page<R>, signal?: AbortSignal): Promise<Page<R>> {
    return this.#page(page.next, signal);
  }

  async count(filters: Filters<F> = {}): Promise<number> {
    return (await this.page({ ...filters, per_page: 1 } as Filters<F>)).total;
  }

  async get(id: number, parameters: Parameters = {}): Promise<R> {
    return (await this.read(id, parameters)).record;
  }

  async getBySlug(slug: string, parameters: Parameters = {}): Promise<R> {
    const path = slug.split('/').map(encodeURIComponent).join('/');
    return (await this.#versioned('GET', `/by-slug/${path}`, parameters)).record;
  }

  // Reads a record with its entity tag, by which `update` notices other writers.
  read(id: number, parameters: Parameters = {}): Promise<Versioned<R>> {
    return this.#versioned('GET', `/${id}`, parameters);
  }

  async create(record: N, options: WriteOptions = {}): Promise<R> {
    return (await this.#write('POST', '', record, options)).record;
  }

  // Changes the fields that are given.
  async update(id: number, changes: U, options: WriteOptions = {}): Promise<R> {
    return (await this.#write('PATCH', `/${id}`, changes, options)).record;
  }

  // Reads a record and changes it by what `change` makes of it, again if others did too.
  async edit(id: number, change: (record: R) => U, options: WriteOptions = {}): Promise<R> {
    for (let attempt = 1; ; attempt += 1) {
      const { record, etag } = await this.read(id, { language: options.language });
      try {
        return await this.update(id, change(record), { ...options, etag });
      } catch (error) {
        const isOvertaken = error instanceof CalendarError && error.status === 412;
        if (!isOvertaken || attempt === RETRIES.attempts) throw error;
      }
    }
  }

  // Moves a record to the trash, or deletes it for good.
  async delete(id: number, { force = false, ...options }: { force?: boolean } & WriteOptions = {}): Promise<R> {
    const parameters = { language: options.language, force: force || undefined };
    return (await this.#versioned('DELETE', `/${id}`, parameters, sentOf(options))).record;
  }

  async #page(parameters: Parameters | null, signal?: AbortSignal): Promise<Page<R>> {
    const response = await this.#calendar.send('GET', `/${this.#name}`, parameters ?? {}, { signal });
    const body = await response.json() as PageBody;
    // Its query alone counts: behind a proxy the calendar may know itself by another address.
    const next = body.next_rest_url
      ? Object.fromEntries(new URL(body.next_rest_url).searchParams) : null;
    return { records: body[this.#name] as R[], total: body.total, next };
  }

  #write(method: string, path: string, body: unknown, options: WriteOptions): Promise<Versioned<R>> {
    const sent = { ...sentOf(options), body };
    return this.#versioned(method, path, { language: options.language }, sent);
  }

  async #versioned(
    method: string, path: string, parameters: Parameters, sent: Sent = {},
  ): Promise<Versioned<R>> {
    const address = `/${this.#name}${path}`;
    const response = await this.#calendar.send(method, address, given(parameters), sent);
    return { record: await response.json() as R, etag: response.headers.get('ETag') ?? '' };
  }
}

// Leaves out what is undefined, so that it hides no default.
function given(parameters: Parameters): Parameters {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined));
}

function sentOf({ key, etag, signal }: WriteOptions): Sent {
  const headers: Record<string, string> = {};
  if (key) headers['Idempotency-Key'] = key;
  if (etag) headers['If-Match'] = etag;
  return { headers, signal };
}
