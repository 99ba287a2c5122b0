// What a calendar refuses.

type Body = { code?: unknown; message?: unknown; data?: unknown };

// The reason of a parameter where the calendar names it and says no more.
const MISSING = 'It is missing.';

// A refusal of the calendar. `status` and `code` tell the cause, `reasons` say of each parameter why
// it is refused; `params` are those of the first check alone: what is missing, or else what is wrong.
export class CalendarError extends Error {
  readonly status: number;
  readonly code: string;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, data: Record<string, unknown> = {}) {
    super(message);
    this.name = 'CalendarError';
    this.status = status;
    this.code = code;
    this.data = data;
  }

  get params(): Readonly<Record<string, string>> {
    const params = this.data['params'];
    if (Array.isArray(params)) return Object.fromEntries(params.map((name) => [name, '']));
    return typeof params === 'object' && params !== null ? params as Record<string, string> : {};
  }

  get reasons(): Readonly<Record<string, string>> {
    const details = Object.entries(this.data['details'] ?? {}) as [string, { message?: unknown }][];
    const later = Object.fromEntries(details.map(([name, { message }]) => [name, String(message ?? '')]));
    const own = Object.entries(this.params).map(([name, why]) => [name, why || later[name] || MISSING]);
    return { ...later, ...Object.fromEntries(own) };
  }

  // In how many seconds the calendar takes requests again; 0 where it does not say.
  get retryAfter(): number {
    return Number(this.data['retry_after']) || 0;
  }

  static async of(response: Response): Promise<CalendarError> {
    const body = await response.json().catch(() => ({})) as Body | null;
    const { code, message, data } = body ?? {};
    const details = typeof data === 'object' && data !== null ? { ...data } as Record<string, unknown> : {};
    const retryAfter = response.headers.get('Retry-After');
    if (retryAfter) details['retry_after'] = retryAfter;
    const text = typeof message === 'string' ? message : response.statusText;
    return new CalendarError(response.status, String(code ?? ''), text, details);
  }
}

// The calendar was not reached, or did not answer in time; a write may have been done.
export class NoAnswer extends CalendarError {
  constructor(cause: unknown) {
    super(0, '', `The calendar gave no answer: ${String(cause)}`);
    this.name = 'NoAnswer';
    this.cause = cause;
  }
}
