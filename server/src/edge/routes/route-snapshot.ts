import { stat } from 'node:fs/promises';
import type { Route } from '../../routing/route.ts';
import { readLineFile, writeLineFile } from '../snapshot/line-file.ts';

interface SnapshotHead {
  format: 1;
  version: number;
}

export interface RouteSnapshot {
  /** The version of the newest change it holds. */
  version: number;
  routes: Route[];
}

/** What a snapshot does not say that was written before there was such a thing. */
const ABSENT = { lock: null, accessLog: false, domain: null, atSubdomain: true };
type WrittenRoute = Omit<Route, keyof typeof ABSENT> & Partial<Pick<Route, keyof typeof ABSENT>>;

/** Null when there is none, or not a whole one. `knownAt`: then its addresses were right (`address-watch.ts`). */
export async function readSnapshot(path: string): Promise<(RouteSnapshot & { knownAt: Date }) | null> {
  const file = await readLineFile(path, (route) => ({ ...ABSENT, ...(route as WrittenRoute) }));
  const head = file?.head as SnapshotHead | undefined;
  if (head?.format !== 1) return null;
  return { version: head.version, routes: file!.items, knownAt: (await stat(path)).mtime };
}

export async function writeSnapshot(path: string, { version, routes }: RouteSnapshot): Promise<void> {
  await writeLineFile(path, { format: 1, version } satisfies SnapshotHead, routes);
}
