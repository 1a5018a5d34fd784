import { isAlive, type ProcessIdentity } from '../../lib/process-identity.ts';
import { processTree } from '../../lib/process-tree.ts';
import { membersOf } from '../../sandbox/cgroups/cgroup.ts';
import type { Exit, Instance } from '../runtime.ts';
import { readStatus } from './instance-exit.ts';
import type { InstanceRecord } from './instance-record.ts';
import { isInNamespace } from './namespace-processes.ts';

/** An instance as this process knows it. */
export interface HeldInstance {
  record: InstanceRecord;
  folder: string;
  /** The first process: bubblewrap's, or the program itself where there is no bubblewrap. */
  process: ProcessIdentity;
  /** Whether this process started it, and so is told of its end. */
  isChild: boolean;
  isStopping: boolean;
  /** It has the processor time that is its own, and no longer what it was given to start with. */
  isSlowed: boolean;
  /** Its first process is gone, and somebody finds out how it ended. */
  isEnding: boolean;
  exit: Exit | null;
  /** It has ended, and so has everything that it left running. */
  isOver: boolean;
}

export const beginHolding = (
  found: Pick<HeldInstance, 'record' | 'folder' | 'process'>,
  { isChild }: Pick<HeldInstance, 'isChild'>,
): HeldInstance => ({
  ...found,
  isChild,
  isStopping: false,
  isSlowed: false,
  isEnding: false,
  exit: null,
  isOver: false,
});

export const describeHeld = ({ record, exit }: HeldInstance): Instance => ({
  id: record.id,
  organisationId: record.organisationId,
  environmentId: record.environmentId,
  deploymentId: record.deploymentId,
  host: record.lease.host,
  port: record.lease.port,
  startedAt: new Date(record.startedAt),
  exit,
});

/** Its processes: of its control group, or where there is none, what descends from the first. */
export function processesOf({
  record,
  folder,
  process,
}: Pick<HeldInstance, 'record' | 'folder' | 'process'>): number[] {
  if (record.cgroup.length > 0) return membersOf(record.cgroup);
  const { firstPid, pidNamespace } = readStatus(folder);
  // A pid alone may be somebody else's by now.
  const isInside = firstPid !== null && pidNamespace !== null && isInNamespace(firstPid, pidNamespace);
  const roots = [...(isAlive(process) ? [process.pid] : []), ...(isInside ? [firstPid] : [])];
  return [...new Set(roots.flatMap(processTree))];
}
