// How values are written in a query.

export type Value = string | number | boolean | Date | null | undefined;
export type Parameters = Readonly<Record<string, Value | readonly Value[]>>;

const LANGUAGE = 'translation_language';

// Answers a query; what is null or undefined is left out, and `language` has its own name.
export function queryOf(parameters: Parameters): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    const sent = name === 'language' ? LANGUAGE : name;
    if (Array.isArray(value)) {
      for (const member of value) append(query, `${sent}[]`, member);
    } else {
      append(query, sent, value as Value);
    }
  }
  return query;
}

function append(query: URLSearchParams, name: string, value: Value): void {
  if (value === null || value === undefined || value === '') return;
  query.append(name, value instanceof Date ? value.toISOString() : String(value));
}
