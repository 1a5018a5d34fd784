import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identify, isAlive, type ProcessIdentity } from '../../lib/process-identity.ts';
import { writeWhole } from '../../lib/write-whole.ts';
import type { Cgroup } from '../../sandbox/cgroups/cgroup.ts';
import type { NetworkLease } from '../instance-networks.ts';
import type { InstanceSpec } from '../runtime.ts';

/** Everything that was taken for an instance, written before it is taken: who comes later finds it, or removes it. */
export interface InstanceRecord {
  version: 1;
  id: string;
  organisationId: string;
  environmentId: string;
  deploymentId: string;
  artifactId: string;
  /** The folder it sees as /etc; null where it has its own. */
  settings: string | null;
  startedAt: string;
  /** Pids and start times mean nothing after the machine was started anew. */
  bootId: string;
  /** Who is starting it, until it has noted itself. */
  starter: ProcessIdentity;
  cgroup: Cgroup;
  /** How much processor time it may have once it has started. */
  cpus: number;
  lease: NetworkLease;
}

/** Of one that this process is about to start. */
export function newRecord(
  { id, organisationId, environmentId, deploymentId, slug, cpus }: InstanceSpec,
  taken: Pick<InstanceRecord, 'settings' | 'cgroup' | 'lease'>,
): InstanceRecord {
  const starter = identify(process.pid);
  if (!starter) throw new Error('cannot read /proc: Lilac needs a Linux /proc');
  return {
    version: 1,
    id,
    organisationId,
    environmentId,
    deploymentId,
    artifactId: slug.artifactId,
    startedAt: new Date().toISOString(),
    bootId: readBootId(),
    starter,
    cpus,
    ...taken,
  };
}

export const filesOf = (folder: string) => ({
  record: join(folder, 'record.json'),
  /** Its first process, as it says itself: that it is there means that it runs or ran. */
  process: join(folder, 'process'),
  /** What bubblewrap tells of it, or who stands in for it. */
  status: join(folder, 'status'),
  mounts: join(folder, 'mounts'),
  /** It is being stopped: its end is no news. */
  stopping: join(folder, 'stopping'),
  /** It stands still, or did when whoever held it back was killed. */
  heldBack: join(folder, 'held-back'),
});

/** False when there is one of that name already. The folder is there with its record, or not at all. */
export function writeRecord(root: string, record: InstanceRecord): boolean {
  const draft = join(root, `.draft-${process.pid}-${record.id}`);
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  writeFileSync(filesOf(draft).record, JSON.stringify(record));
  try {
    renameSync(draft, join(root, record.id));
    return true;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    throw error;
  }
}

/** Of one that is there: more is known of it now. */
export function rewriteRecord(folder: string, record: InstanceRecord): void {
  writeWhole(filesOf(folder).record, JSON.stringify(record));
}

/** Of what lies in the folder of the instances; drafts and what is being removed are none. */
export const listNames = (root: string): string[] => namesIn(root).filter((name) => !name.startsWith('.'));

/** Drafts and what was to be removed, left by processes that are gone. */
export function listLeftovers(root: string): string[] {
  return namesIn(root)
    .filter((name) => name.startsWith('.'))
    .filter((name) => {
      const owner = /^\.(?:draft|gone)-(\d+)-/.exec(name)?.[1];
      return owner !== undefined && identify(Number(owner)) === null;
    })
    .map((name) => join(root, name));
}

const PROBE_MS = 600_000;

/** What somebody tried this machine in, and did not come to remove. */
export function listOldProbes(root: string): string[] {
  const probes = namesIn(root).filter((name) => name.startsWith('.probe-'));
  return probes
    .map((name) => join(root, name))
    .filter((path) => Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > PROBE_MS);
}

export function readRecord(folder: string): InstanceRecord | null {
  try {
    return JSON.parse(readFileSync(filesOf(folder).record, 'utf8')) as InstanceRecord;
  } catch {
    return null;
  }
}

/** By who started it, where it cannot do so itself. */
export function noteProcess(folder: string, { pid, startTime }: ProcessIdentity): void {
  writeFileSync(filesOf(folder).process, `${pid} () ${'0 '.repeat(19)}${startTime}\n`);
}

/** Null when it has not come so far. What is read is a line of /proc/<pid>/stat. */
export function readProcess(folder: string): ProcessIdentity | null {
  try {
    const line = readFileSync(filesOf(folder).process, 'utf8');
    const startTime = line
      .slice(line.lastIndexOf(')') + 2)
      .trim()
      .split(' ')[19];
    return startTime ? { pid: Number.parseInt(line, 10), startTime } : null;
  } catch {
    return null;
  }
}

export const isBeingStarted = ({ starter, bootId }: InstanceRecord): boolean =>
  bootId === readBootId() && isAlive(starter);

export const isBeingStopped = (folder: string): boolean => existsSync(filesOf(folder).stopping);

export function noteStopping(folder: string): void {
  if (existsSync(folder)) writeFileSync(filesOf(folder).stopping, JSON.stringify(identify(process.pid)));
}

/** By a process that is gone. */
export function isLeftStopping(folder: string): boolean {
  if (!isBeingStopped(folder)) return false;
  try {
    return !isAlive(JSON.parse(readFileSync(filesOf(folder).stopping, 'utf8')) as ProcessIdentity);
  } catch {
    return true;
  }
}

/** Nobody can note itself in it any more, and nobody finds it. */
export function setAside(root: string, name: string): string {
  const place = join(root, `.gone-${process.pid}-${name}-${Date.now()}`);
  renameSync(join(root, name), place);
  return place;
}

let bootId: string | undefined;
export const readBootId = (): string => (bootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());

function namesIn(root: string): string[] {
  try {
    return readdirSync(root);
  } catch {
    return [];
  }
}
