import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pathsOf } from '../../config.ts';
import { isAlive } from '../../lib/process-identity.ts';
import { PROBE, proberOf } from './abilities.ts';
import { listLeftovers } from './place-record.ts';
import { clearFolder } from './places.ts';

/**
 * Removes what was being made, removed or tried in when somebody was killed. In its home `doctor` may have tried too, and
 * in the folder for sockets somebody may have dumped.
 */
export async function sweepFolders(root: string, home: string): Promise<void> {
  const run = pathsOf({ home: realpathSync(home) }).run;
  const probes = [root, realpathSync(home), ...(existsSync(run) ? [run] : [])].flatMap(listAbandonedProbes);
  for (const folder of [...listLeftovers(root), ...probes]) await clearFolder(folder);
}

function listAbandonedProbes(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(PROBE) && isAbandoned(name))
    .map((name) => join(folder, name));
}

function isAbandoned(name: string): boolean {
  const prober = proberOf(name);
  return prober === null || !isAlive(prober);
}
