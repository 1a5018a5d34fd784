import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../lib/clock.ts';
import { PROBE } from './abilities.ts';
import { listLeftovers } from './place-record.ts';
import { clearFolder } from './places.ts';

/** Nobody tries a machine for so long. */
const PROBE_MS = 600_000;

/** Removes what was being made, removed or tried in when somebody was killed. */
export async function sweepFolders(root: string, clock: Clock): Promise<void> {
  for (const folder of [...listLeftovers(root), ...listOldProbes(root, clock)]) await clearFolder(folder);
}

function listOldProbes(root: string, clock: Clock): string[] {
  const oldest = clock.now().getTime() - PROBE_MS;
  return readdirSync(root)
    .filter((name) => name.startsWith(PROBE))
    .map((name) => join(root, name))
    .filter((path) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < oldest);
}
