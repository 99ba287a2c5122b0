// The types of records and filters, as the OpenAPI document of the calendar has them.

import type { components, paths } from './schema.js';

type Schemas = components['schemas'];
// Filters are sent as texts; lists and flags are too.
type Query<Path extends keyof paths> = paths[Path] extends
  { get: { parameters: { query?: infer Q } } } ? Q : never;

export type Event = Schemas['Event'];
export type Venue = Schemas['Venue'];
export type Organizer = Schemas['Organizer'];
export type Category = Schemas['Category'];
export type Tag = Schemas['Tag'];

export type NewEvent = Schemas['EventChange'];
export type EventUpdate = Schemas['EventUpdate'];
export type NewVenue = Schemas['VenueChange'];
export type VenueUpdate = Schemas['VenueUpdate'];
export type NewOrganizer = Schemas['OrganizerChange'];
export type OrganizerUpdate = Schemas['OrganizerUpdate'];
export type NewCategory = Schemas['CategoryChange'];
export type CategoryUpdate = Schemas['CategoryUpdate'];
export type NewTag = Schemas['TagChange'];
export type TagUpdate = Schemas['TagUpdate'];

export type EventFilters = Query<'/events'>;
export type VenueFilters = Query<'/venues'>;
export type OrganizerFilters = Query<'/organizers'>;
export type CategoryFilters = Query<'/categories'>;
export type TagFilters = Query<'/tags'>;
