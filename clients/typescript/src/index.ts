// Reads, writes and follows a calendar of calendar-app.

export { Calendar, Collection } from './calendar.js';
export type { Batch, Change, Filters, Options, Page, Versioned, WriteOptions } from './calendar.js';
export { CalendarError, NoAnswer } from './errors.js';
export type { Parameters, Value } from './parameters.js';
export type { Retries } from './requests.js';
export type {
  Category, CategoryFilters, Event, EventFilters, NewEvent, Organizer, OrganizerFilters, Tag,
  TagFilters, Venue, VenueFilters,
} from './records.js';
