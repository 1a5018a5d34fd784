import { join } from 'node:path';
import type { Log } from '../../lib/log.ts';
import { removeTree } from '../../lib/remove-tree.ts';
import { tryEach } from '../../lib/try-each.ts';
import { endAll } from './end-instance.ts';
import { findInstance, findRemains } from './find-instance.ts';
import {
  isBeingStarted,
  isBeingStopped,
  isLeftStopping,
  listLeftovers,
  listOldProbes,
  listNames,
  readRecord,
  setAside,
} from './instance-record.ts';
import type { InstanceCare } from './instance-care.ts';

export interface SweepDeps {
  root: string;
  log: Log;
  care: Pick<InstanceCare, 'clearAway' | 'sweep'>;
}

/** Removes what a killed process of the platform left half-started or half-stopped, and all that belongs to nothing. */
export async function sweepInstances({ root, log, care }: SweepDeps): Promise<void> {
  await tryEach(
    listNames(root).filter((name) => isAbandoned(join(root, name))),
    async (name) => {
      log.warn({ instance: name }, 'removing an instance that was left half-started or half-stopped');
      // Out of the way first: one that is still on its way cannot note itself any more, and ends.
      await removeRemains(setAside(root, name), care);
    },
  );
  await tryEach([...listLeftovers(root), ...listOldProbes(root)], (folder) => removeRemains(folder, care));
  await care.sweep(() => listNames(root).flatMap((name) => readRecord(join(root, name)) ?? []));
}

function isAbandoned(folder: string): boolean {
  if (isBeingStopped(folder)) return isLeftStopping(folder);
  const record = readRecord(folder);
  return !record || (findInstance(folder) === null && !isBeingStarted(record));
}

async function removeRemains(folder: string, care: SweepDeps['care']): Promise<void> {
  const remains = findRemains(folder);
  if (remains) {
    await endAll(remains);
    await care.clearAway(remains);
  }
  await removeTree(folder);
}
