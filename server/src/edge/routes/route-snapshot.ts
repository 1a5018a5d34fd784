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

/** Null when there is none, or not a whole one. */
export async function readSnapshot(path: string): Promise<RouteSnapshot | null> {
  const file = await readLineFile(path, (route) => ({ ...ABSENT, ...(route as WrittenRoute) }));
  const head = file?.head as SnapshotHead | undefined;
  return head?.format === 1 ? { version: head.version, routes: file!.items } : null;
}

export async function writeSnapshot(path: string, { version, routes }: RouteSnapshot): Promise<void> {
  await writeLineFile(path, { format: 1, version } satisfies SnapshotHead, routes);
}
