import { isIPv6 } from 'node:net';
import type { Clock } from './clock.ts';

export const RATE_WINDOW_SECONDS = 600;
/** Some 20 MB at most. Windows end in the order they began, so the first entry is always the oldest. */
const MAX_CLIENTS = 100_000;

export interface RateState {
  isOver: boolean;
  remaining: number;
  resetSeconds: number;
}

interface Window {
  used: number;
  endsAt: number;
}

/** Counts the requests of every client address in a fixed window, in this process. With 0 it is only looked at. */
export function createRateLimit({
  limit,
  clock,
}: {
  limit: number;
  clock: Clock;
}): (address: string, requests?: number) => RateState {
  const windows = new Map<string, Window>();
  return (address, requests = 1) => {
    const now = clock.now().getTime();
    const window = currentWindow(windows, clientOf(address), now);
    window.used += requests;
    return {
      isOver: window.used > limit,
      remaining: Math.max(0, limit - window.used),
      resetSeconds: Math.ceil((window.endsAt - now) / 1000),
    };
  };
}

function currentWindow(windows: Map<string, Window>, client: string, now: number): Window {
  const known = windows.get(client);
  if (known && known.endsAt > now) return known;
  windows.delete(client);
  if (windows.size >= MAX_CLIENTS) forgetOldest(windows);
  const fresh = { used: 0, endsAt: now + RATE_WINDOW_SECONDS * 1000 };
  windows.set(client, fresh);
  return fresh;
}

function forgetOldest(windows: Map<string, Window>): void {
  for (const client of windows.keys()) {
    windows.delete(client);
    return;
  }
}

/** One customer holds a whole /64 of IPv6 addresses, so the /64 is the client. */
export function clientOf(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().split('%', 1)[0]!.split('::');
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
