import { UsageError } from './usage-error.ts';

const UNITS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DAY = UNITS.d!;

/** A day, a time of day or both, as tables and logs show them; the zone is UTC where none is said. */
const TIME =
  /^(?:(?:(?<year>\d{4})-)?(?<day>\d\d-\d\d))?(?:(?:^|[T ])(?<minute>\d\d:\d\d)(?::(?<second>\d\d(?:\.\d+)?))?)?\s?(?<zone>Z|UTC|[+-]\d\d:\d\d)?$/i;

/**
 * `90s`, `15m`, `1h`, `2d` ago, or a time: `2026-11-15T12:00:00Z`, `11-15 12:00:00.000`, `12:00`. What is
 * left out is filled in so that it is the last such time: of today or yesterday, of this year or the last.
 */
export function readTime(text: string, { flag, now }: { flag: string; now: Date }): Date {
  const time = readAgo(text.trim(), now) ?? readMoment(text.trim(), now);
  if (time) return time;
  throw new UsageError(
    `--${flag} is 30s, 15m, 1h, 2d or a time in UTC such as 12:00, "11-15 12:00:00.000", 2026-11-15 or ` +
      `2026-11-15T12:00:00Z, not "${text}".`,
  );
}

function readAgo(text: string, now: Date): Date | null {
  const [, count, unit] = /^(\d{1,6})\s*([smhd])$/i.exec(text) ?? [];
  return count && unit ? new Date(now.getTime() - Number(count) * UNITS[unit.toLowerCase()]!) : null;
}

function readMoment(text: string, now: Date): Date | null {
  const { year, day, minute, second = '00', zone } = TIME.exec(text)?.groups ?? {};
  if (!day && !minute) return null;
  const today = now.toISOString();
  const momentIn = (someYear: string | number) =>
    parseExactly(`${someYear}-${day ?? today.slice(5, 10)}`, `${minute ?? '00:00'}:${second}`, zone);
  const moment = momentIn(year ?? today.slice(0, 4));
  if (!moment || year || moment.getTime() <= now.getTime()) return moment;
  if (!day) return new Date(moment.getTime() - DAY);
  // What is less than a day ahead may be a clock that goes wrong, and is no year old.
  return moment.getTime() < now.getTime() + DAY ? moment : momentIn(now.getUTCFullYear() - 1);
}

/** Null for what is in no calendar, such as the 30th of February, which Date takes for the 2nd of March. */
function parseExactly(day: string, clock: string, zone = 'Z'): Date | null {
  const midnight = new Date(`${day}T00:00:00Z`);
  const time = new Date(`${day}T${clock}${/^(?:z|utc)$/i.test(zone) ? 'Z' : zone}`);
  const isReal = !Number.isNaN(time.getTime()) && midnight.toISOString().startsWith(day);
  return isReal ? time : null;
}
