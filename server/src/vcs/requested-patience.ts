/** Where a host refuses by rate and does not say for how long. */
const UNTOLD_SECONDS = 60;
/** Hosts count by the hour at most. Who asks for more is mistaken, or its clock or ours is wrong. */
const LONGEST_MS = 60 * 60_000;
/** Beyond that a reset is a time, below it a number of seconds: hosts use the same field for either. */
const EARLIEST_TIME = 1_000_000_000;

export interface RequestedPatience {
  milliseconds: number;
  /** Whether it is this credential that asked too often, or the host that cannot serve anybody. */
  concerns: 'credential' | 'host';
  /** False: this answer is good, it was the last one for now. */
  isRefusal: boolean;
}

/**
 * How long a host wants to be left in peace, by what its answer says; null when it does not. The three hosts say it by
 * `Retry-After`, by `X-RateLimit-*` or by `RateLimit-*`; the first also by a 403, whose reason stands in the text.
 */
export function requestedPatience(
  { status, headers, text }: { status: number; headers: Headers; text: () => string },
  now: number,
): RequestedPatience | null {
  if (status === 503) {
    const milliseconds = retryAfter(headers, now);
    return milliseconds === null ? null : { milliseconds: believed(milliseconds), concerns: 'host', isRefusal: true };
  }
  const isSpent = (headers.get('x-ratelimit-remaining') ?? headers.get('ratelimit-remaining')) === '0';
  const isRefusal =
    status === 429 || (status === 403 && (isSpent || headers.has('retry-after') || isAboutRate(text())));
  if (!isRefusal && !isSpent) return null;
  const told = retryAfter(headers, now) ?? (isSpent ? untilReset(headers, now) : null);
  if (told === null && !isRefusal) return null;
  return { milliseconds: believed(told ?? UNTOLD_SECONDS * 1000), concerns: 'credential', isRefusal };
}

const believed = (milliseconds: number): number => Math.min(milliseconds, LONGEST_MS);

/** The first host's second kind of limit, of which no header tells. */
const isAboutRate = (text: string) => /rate limit|abuse detection/i.test(text);

function retryAfter(headers: Headers, now: number): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(milliseconds) ? null : Math.max(0, milliseconds);
}

function untilReset(headers: Headers, now: number): number | null {
  const value = Number(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset') ?? Number.NaN);
  if (Number.isNaN(value)) return null;
  return Math.max(0, value > EARLIEST_TIME ? value * 1000 - now : value * 1000);
}
