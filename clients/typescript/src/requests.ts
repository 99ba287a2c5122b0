// Sends requests until they are answered for good.

import { CalendarError, NoAnswer } from './errors.js';

// How often a request is sent at most, and how long its pauses are, in milliseconds.
export interface Retries {
  readonly attempts: number;
  readonly first: number;
  readonly longest: number;
}

export interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  readonly timeout?: number;
}

export interface Door {
  readonly fetch: typeof fetch;
  readonly authorization: string;
  readonly retries: Retries;
  // The language in which refusals are worded; empty: that of the browser.
  readonly messages: string;
}

const BUSY = new Set([429, 502, 503, 504]);
// Somebody else is writing the same: the request itself is right.
const CONFLICTS = new Set(['edit_conflict', 'idempotency_key_in_use']);
const PATIENCE = 30_000;

// What was written once is not written again: a repeated write has the key of the first. A write
// of somebody unknown, who has no key, is not repeated where no answer came.
export async function call(
  door: Door, method: string, address: string, sent: Sent = {},
): Promise<Response> {
  const isRead = method === 'GET';
  const isKnown = door.authorization !== '';
  const headers: Record<string, string> = { ...sent.headers };
  if (door.messages) headers['Accept-Language'] ??= door.messages;
  if (sent.body !== undefined) headers['Content-Type'] = 'application/json';
  if (isKnown) headers['Authorization'] = door.authorization;
  if (isKnown && !isRead) headers['Idempotency-Key'] ??= crypto.randomUUID();
  const body = sent.body === undefined ? null : JSON.stringify(sent.body);

  for (let attempt = 1; ; attempt += 1) {
    let error: CalendarError;
    try {
      const limit = AbortSignal.timeout(sent.timeout ?? PATIENCE);
      const signal = sent.signal ? AbortSignal.any([sent.signal, limit]) : limit;
      const response = await door.fetch(address, { method, headers, body, signal });
      if (response.ok) return response;
      error = await CalendarError.of(response);
    } catch (cause) {
      if (sent.signal?.aborted) throw cause;
      error = new NoAnswer(cause);
    }
    const pause = pauseAfter(error, attempt, door.retries);
    if (pause === null || (error instanceof NoAnswer && !isRead && !isKnown)) throw error;
    await sleep(pause, sent.signal);
  }
}

// Answers how long to wait before the next attempt; null where this was the last.
function pauseAfter(error: CalendarError, attempt: number, retries: Retries): number | null {
  const isTransient = error instanceof NoAnswer
    || BUSY.has(error.status) || (error.status === 409 && CONFLICTS.has(error.code));
  const askedFor = error.retryAfter * 1000;
  if (!isTransient || attempt >= retries.attempts || askedFor > retries.longest) return null;
  const usual = Math.min(retries.longest, retries.first * 2 ** (attempt - 1));
  return Math.max(askedFor, usual * (0.5 + Math.random() / 2));
}

export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    }, { once: true });
  });
}
