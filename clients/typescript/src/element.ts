// <calendar-list src="https://…/calendar/events/v1"></calendar-list>: a list of events, or one
// event, in the page of anybody.

import { Calendar, type Filters, type Page } from './calendar.js';
import { CalendarError } from './errors.js';
import type { Event, EventFilters } from './records.js';
import { eventItem, notice, waiting } from './render.js';
import { STYLE } from './style.js';
import { primary, textsOf } from './texts.js';

// Attributes that are sent as the filter of the same name, and those under another one.
const FILTERS = ['categories', 'tags', 'venue', 'organizer', 'search', 'featured', 'free', 'series'];
const RENAMED = { start: 'start_date', end: 'end_date', radius: 'geoloc_radius' } as const;
const OTHERS = ['src', 'language', 'near', 'limit', 'layout', 'event', 'heading', 'heading-level'];
const LIMIT = 10;

export class CalendarEvents extends HTMLElement {
  static readonly observedAttributes = [...FILTERS, ...Object.keys(RENAMED), ...OTHERS];

  readonly #root = this.attachShadow({ mode: 'open' });
  #loading = new AbortController();
  #isDue = false;

  connectedCallback(): void {
    this.#loadSoon();
  }

  disconnectedCallback(): void {
    this.#loading.abort();
  }

  attributeChangedCallback(): void {
    if (this.isConnected) this.#loadSoon();
  }

  // The language of the element: its own, else that of the page around it.
  get language(): string {
    return this.getAttribute('language')
      || this.closest('[lang]')?.getAttribute('lang') || navigator.language;
  }

  // Loads the events again.
  async reload(): Promise<void> {
    this.#loading.abort();
    this.#loading = new AbortController();
    const { signal } = this.#loading;
    const count = this.hasAttribute('event') ? 1 : Math.min(3, this.#limit);
    this.#show([waiting(count, textsOf(this.language).loading)], true);
    try {
      await this.#load(signal);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  // Several attributes that change at once are one reason to load.
  #loadSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      if (this.isConnected && this.getAttribute('src')) void this.reload();
    });
  }

  async #load(signal: AbortSignal): Promise<void> {
    const calendar = new Calendar(this.getAttribute('src') ?? '', {
      retries: { attempts: 2 }, messages: '',
    });
    const chosen = this.getAttribute('event');
    if (chosen) {
      const event = await this.#inLanguage((language) => (/^\d+$/.test(chosen)
        ? calendar.events.get(Number(chosen), { language })
        : calendar.events.getBySlug(chosen, { language })));
      if (!signal.aborted) this.#showEvents([event], null, true);
      return;
    }
    const page = await this.#inLanguage((language) => {
      const asked = { ...this.#filters(), ...(language ? { language } : {}), signal };
      return calendar.events.page(asked as Filters<EventFilters>);
    });
    if (!signal.aborted) this.#showPage(calendar, page, signal);
  }

  // A calendar may lack the language of the page: then it answers in its own.
  async #inLanguage<T>(ask: (language: string | undefined) => Promise<T>): Promise<T> {
    const own = this.getAttribute('language');
    try {
      return await ask(own ?? primary(this.language));
    } catch (error) {
      const isUnknown = error instanceof CalendarError && 'translation_language' in error.params;
      if (own || !isUnknown) throw error;
      return ask(undefined);
    }
  }

  #filters(): object {
    const filters: Record<string, string | number | boolean> = { per_page: this.#limit };
    for (const name of FILTERS) this.#take(filters, name, name);
    for (const [name, parameter] of Object.entries(RENAMED)) this.#take(filters, name, parameter);
    const [latitude, longitude] = (this.getAttribute('near') ?? '').split(',');
    if (latitude && longitude) {
      Object.assign(filters, { geoloc_lat: latitude.trim(), geoloc_lng: longitude.trim(), distance: true });
    }
    return filters;
  }

  #take(filters: Record<string, string | number | boolean>, name: string, parameter: string): void {
    const value = this.getAttribute(name);
    // A flag may stand alone: <calendar-events free>.
    if (value !== null) filters[parameter] = value || true;
  }

  get #limit(): number {
    return Number(this.getAttribute('limit')) || LIMIT;
  }

  get #level(): number {
    return Math.min(5, Math.max(2, Number(this.getAttribute('heading-level')) || 2));
  }

  #showPage(calendar: Calendar, first: Page<Event>, signal: AbortSignal): void {
    let page = first;
    const shown = [...page.records];
    const more = async (): Promise<void> => {
      page = await calendar.events.following(page, signal);
      const before = shown.length;
      shown.push(...page.records);
      this.#showEvents(shown, more, false, page);
      this.#root.querySelectorAll<HTMLElement>('.title a')[before]?.focus();
    };
    this.#showEvents(shown, more, false, page);
  }

  #showEvents(
    events: readonly Event[], more: (() => Promise<void>) | null, isAlone: boolean, page?: Page<Event>,
  ): void {
    const language = this.language;
    const texts = textsOf(language);
    if (!events.length) {
      this.#show([notice(texts.empty)]);
    } else {
      const list = document.createElement('ul');
      list.className = `list ${this.getAttribute('layout') === 'cards' ? 'cards' : ''}`.trim();
      list.part.add('list');
      const hasHeading = this.hasAttribute('heading');
      const look = { language, level: this.#level + (hasHeading ? 1 : 0), isAlone };
      list.append(...events.map((event) => eventItem(event, look)));
      const rest = page?.next && more ? [this.#moreButton(events.length, page.total, more)] : [];
      this.#show([list, ...rest]);
    }
    this.dispatchEvent(new CustomEvent('calendar-load', { detail: { events }, bubbles: true }));
  }

  #moreButton(shown: number, total: number, more: () => Promise<void>): HTMLElement {
    const texts = textsOf(this.language);
    const row = document.createElement('div');
    const button = document.createElement('button');
    const count = document.createElement('span');
    row.className = 'more';
    button.type = 'button';
    button.part.add('button');
    button.textContent = texts.more;
    button.addEventListener('click', () => {
      button.disabled = true;
      more().catch((error: unknown) => this.#fail(error));
    });
    count.textContent = texts.count(shown, total);
    row.append(button, count);
    return row;
  }

  #fail(error: unknown): void {
    const texts = textsOf(this.language);
    const isMissing = error instanceof CalendarError && [400, 403, 404].includes(error.status)
      && this.hasAttribute('event');
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = texts.again;
    button.addEventListener('click', () => void this.reload());
    this.#show([notice(isMissing ? texts.missing : texts.failed, isMissing ? null : button)]);
    this.dispatchEvent(new CustomEvent('calendar-error', { detail: { error }, bubbles: true }));
  }

  // Puts content into the element; its region is there all the time, so that it is read out.
  #show(content: readonly Node[], isBusy = false): void {
    const style = document.createElement('style');
    style.textContent = STYLE;
    const section = document.createElement('section');
    const heading = this.getAttribute('heading');
    section.lang = this.language;
    section.setAttribute('aria-busy', String(isBusy));
    section.setAttribute('aria-label', heading || textsOf(this.language).events);
    if (heading) {
      const title = document.createElement(`h${this.#level}`);
      title.className = 'heading';
      title.part.add('heading');
      title.textContent = heading;
      section.append(title);
    }
    section.append(...content);
    this.#root.replaceChildren(style, section);
  }
}

// Pages of earlier releases have it as <calendar-events>, as they have the frame of a calendar. The
// script that is there first keeps that name.
if (!customElements.get('calendar-list')) customElements.define('calendar-list', CalendarEvents);
if (!customElements.get('calendar-events')) {
  customElements.define('calendar-events', class extends CalendarEvents {});
}
