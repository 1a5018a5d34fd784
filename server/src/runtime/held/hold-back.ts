import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { freezeCgroup, thawCgroup } from '../../sandbox/cgroups/cgroup.ts';
import { processesOf, type HeldInstance } from './held-instance.ts';
import { filesOf } from './instance-record.ts';
import { signalProcess } from './signal-process.ts';

type Subject = Pick<HeldInstance, 'record' | 'folder' | 'process'>;

export const isHeldBack = (folder: string): boolean => existsSync(filesOf(folder).heldBack);

/**
 * Lets an instance stand still, for a moment: its control group is frozen, or where that cannot be had each of
 * its processes stopped. Noted first, so that whoever comes after a kill lets it go.
 */
export function holdBack(subject: Subject): void {
  writeFileSync(filesOf(subject.folder).heldBack, '');
  if (!freezeCgroup(subject.record.cgroup)) for (const pid of processesOf(subject)) signalProcess(pid, 'SIGSTOP');
}

/** Harmless when nobody holds it back. */
export function letGo(subject: Subject): void {
  if (!isHeldBack(subject.folder)) return;
  if (!thawCgroup(subject.record.cgroup)) {
    // Children first: some parents stop when they see that a child was stopped.
    for (const pid of processesOf(subject).toReversed()) signalProcess(pid, 'SIGCONT');
  }
  rmSync(filesOf(subject.folder).heldBack, { force: true });
}
