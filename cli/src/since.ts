import { UsageError } from './usage-error.ts';

const UNITS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `15m`, `1h`, `2d` ago, or a time as `2026-11-15T12:00:00Z`. */
export function readSince(text: string, now: Date): Date {
  const [, count, unit] = /^(\d{1,6})\s*([smhd])$/i.exec(text.trim()) ?? [];
  if (count && unit) return new Date(now.getTime() - Number(count) * UNITS[unit.toLowerCase()]!);
  const time = new Date(text);
  // Without the day it would mean something else everywhere.
  if (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(time.getTime())) return time;
  throw new UsageError(`--since is 30s, 15m, 1h, 2d or a time such as 2026-11-15T12:00:00Z, not "${text}".`);
}
