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
  /** Of those used, how many nobody else has been told of. */
  untold: number;
}

/** What a client has used; of an answer, at all who count together. */
export interface ClientCount {
  client: string;
  used: number;
}

/** A limit that several processes keep together: each tells the others what it has counted, now and then. */
export interface SharedRateLimit {
  count: (address: string, requests?: number) => RateState;
  /** What was counted since the last time, of so many clients. It is then somebody else's to tell. */
  takeUntold(maxClients: number): ClientCount[];
  /** It could not be told. */
  giveBack(counts: readonly ClientCount[]): void;
  /** What all have counted together, and in how long the window ends. */
  learn(totals: readonly (ClientCount & { endsInMs: number })[]): void;
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
    return add(currentWindow(windows, clientOf(address), now), { requests, limit, now });
  };
}

/** The same, for processes that count together. Alone, it counts as the other does. */
export function createSharedRateLimit({ limit, clock }: { limit: number; clock: Clock }): SharedRateLimit {
  const windows = new Map<string, Window>();
  const untold = new Set<string>();
  const note = (client: string, window: Window, requests: number): void => {
    window.untold += requests;
    untold.add(client);
  };
  return {
    count(address, requests = 1) {
      const now = clock.now().getTime();
      const client = clientOf(address);
      const window = currentWindow(windows, client, now);
      if (requests > 0) note(client, window, requests);
      return add(window, { requests, limit, now });
    },
    takeUntold(maxClients) {
      const clients = [...untold].slice(0, maxClients);
      return clients.flatMap((client) => {
        untold.delete(client);
        const window = windows.get(client);
        const used = window?.untold ?? 0;
        if (window) window.untold = 0;
        return used > 0 ? [{ client, used }] : [];
      });
    },
    giveBack(counts) {
      for (const { client, used } of counts) {
        const window = windows.get(client);
        if (window) note(client, window, used);
      }
    },
    learn(totals) {
      const now = clock.now().getTime();
      for (const { client, used, endsInMs } of totals) {
        const window = currentWindow(windows, client, now);
        window.used = used + window.untold;
        window.endsAt = now + endsInMs;
      }
    },
  };
}

function add(window: Window, { requests, limit, now }: { requests: number; limit: number; now: number }): RateState {
  window.used += requests;
  return {
    isOver: window.used > limit,
    remaining: Math.max(0, limit - window.used),
    resetSeconds: Math.ceil((window.endsAt - now) / 1000),
  };
}

function currentWindow(windows: Map<string, Window>, client: string, now: number): Window {
  const known = windows.get(client);
  if (known && known.endsAt > now) return known;
  windows.delete(client);
  if (windows.size >= MAX_CLIENTS) forgetOldest(windows);
  const fresh = { used: 0, untold: 0, endsAt: now + RATE_WINDOW_SECONDS * 1000 };
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
