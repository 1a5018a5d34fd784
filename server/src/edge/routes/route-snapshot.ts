import { createReadStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Route } from '../../routing/route.ts';

interface SnapshotHead {
  format: 1;
  version: number;
  count: number;
}

export interface RouteSnapshot {
  /** The version of the newest change it holds. */
  version: number;
  routes: Route[];
}

const ROUTES_PER_WRITE = 1000;

/** What a snapshot does not say that was written before there was such a thing. */
const ABSENT = { lock: null, accessLog: false, domain: null, atSubdomain: true };
type WrittenRoute = Omit<Route, keyof typeof ABSENT> & Partial<Pick<Route, keyof typeof ABSENT>>;

/** Null when there is none, or not a whole one. */
export async function readSnapshot(path: string): Promise<RouteSnapshot | null> {
  const input = createReadStream(path);
  try {
    let head: SnapshotHead | null = null;
    const routes: Route[] = [];
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      if (head) routes.push({ ...ABSENT, ...(JSON.parse(line) as WrittenRoute) });
      else head = JSON.parse(line) as SnapshotHead;
    }
    return head?.format === 1 && head.count === routes.length ? { version: head.version, routes } : null;
  } catch {
    return null;
  } finally {
    input.destroy();
  }
}

/**
 * One line a route, a thousand at a time with pauses between, since requests are served meanwhile. The
 * old snapshot is replaced when the new one is whole and on disk. The keys of locked addresses are in it:
 * nobody else may read it.
 */
export async function writeSnapshot(path: string, { version, routes }: RouteSnapshot): Promise<void> {
  const draft = `${path}.${process.pid}.new`;
  const file = await open(draft, 'w', 0o600);
  try {
    const head: SnapshotHead = { format: 1, version, count: routes.length };
    await file.write(`${JSON.stringify(head)}\n`);
    for (let at = 0; at < routes.length; at += ROUTES_PER_WRITE) {
      const lines = routes.slice(at, at + ROUTES_PER_WRITE).map((route) => `${JSON.stringify(route)}\n`);
      await file.write(lines.join(''));
      await breathe();
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
