/**
 * Ends what an interrupted benchmark has started, and removes its folders and the homes of its platforms.
 * Arguments: <its process> [its folders …]
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endDatabases } from '../../e2e/database-servers.ts';
import { endProcess, identify, type ProcessIdentity } from '../../server/src/lib/process-identity.ts';
import { findRunning, stopEmbeddedStore } from '../../server/src/store/embedded-store.ts';
import { parentOf, treeOf } from './memory.ts';

/** As long as a platform may take to stop. */
const PATIENCE_MS = 30_000;

const [pid = '', ...ownFolders] = process.argv.slice(2);
const benchmark = Number(pid);
const started = treeOf(benchmark).filter((each) => each !== benchmark && each !== process.pid);
const homes = new Set([...ownFolders, ...started.flatMap(homeOf)]);
const everything = started.flatMap(identified);

await Promise.all(everything.filter(isItsOwn).map(stop));
for (const home of homes) {
  // Databases outlive their platform on purpose, and a store may have lost its own.
  if (existsSync(join(home, 'databases'))) await endDatabases(home);
  await stopStoreOf(home);
}
await Promise.all(everything.map((each) => endProcess(each, [{ signal: 'SIGKILL', waitMs: 1000 }])));
for (const home of homes) rmSync(home, { recursive: true, force: true });

/** What the others belong to ends them in good order; a store would wait for whoever is still connected. */
function isItsOwn(each: ProcessIdentity): boolean {
  return parentOf(each.pid) === benchmark && ![...homes].some((home) => storeOf(home)?.pid === each.pid);
}

async function stop(each: ProcessIdentity): Promise<void> {
  await endProcess(each, [{ signal: 'SIGTERM', waitMs: PATIENCE_MS }]);
}

async function stopStoreOf(home: string): Promise<void> {
  const store = storeOf(home);
  if (store) await stopEmbeddedStore(store);
}

function storeOf(home: string): ProcessIdentity | null {
  return findRunning({ directory: join(home, 'store') });
}

/** The home of the platform that a process belongs to, where it is one for a while only. */
function homeOf(each: number): string[] {
  const home = /(?:^|\0)LILAC_HOME=([^\0]+)/.exec(environmentOf(each))?.[1];
  return home?.startsWith(join(tmpdir(), 'lilac-')) ? [home] : [];
}

function environmentOf(each: number): string {
  try {
    return readFileSync(`/proc/${each}/environ`, 'utf8');
  } catch {
    return '';
  }
}

function identified(each: number): ProcessIdentity[] {
  const found = identify(each);
  return found ? [found] : [];
}
