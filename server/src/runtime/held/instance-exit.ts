import { readIfThere } from '../../lib/read-if-there.ts';
import { writeWhole } from '../../lib/write-whole.ts';
import { hasRunOutOfMemory, type Cgroup } from '../../sandbox/cgroups/cgroup.ts';
import type { Exit } from '../runtime.ts';
import { filesOf } from './instance-record.ts';

/** Shells and bubblewrap tell by this that a signal ended a program. */
const SIGNALS = { from: 129, to: 192 };

/** The exit code is what its first process gave back; null where nobody was there to be told. */
export function describeExit({ exitCode: code, isOutOfMemory }: ExitStatus, cgroup: Cgroup): Exit {
  const isSignal = code === null || (code >= SIGNALS.from && code <= SIGNALS.to);
  return {
    exitCode: isSignal ? null : code,
    isOutOfMemory: code !== 0 && (isOutOfMemory || hasRunOutOfMemory(cgroup)),
  };
}

export type ExitStatus = Pick<Status, 'exitCode' | 'isOutOfMemory'>;

/** For those whose group is gone with them. The file is there whole, or not at all. */
export function writeStatus(folder: string, { exitCode, isOutOfMemory }: ExitStatus): void {
  writeWhole(filesOf(folder).status, `{ "exit-code": ${exitCode}, "out-of-memory": ${isOutOfMemory} }\n`);
}

/** What bubblewrap, or who stands in for it, has written down: a line of JSON for each thing it tells. */
export function readStatus(folder: string): Status {
  const text = readIfThere(filesOf(folder).status) ?? '';
  const numberOf = (name: string) => {
    const found = new RegExp(`"${name}": (\\d+)`).exec(text)?.[1];
    return found ? Number(found) : null;
  };
  return {
    firstPid: numberOf('child-pid'),
    pidNamespace: numberOf('pid-namespace'),
    exitCode: numberOf('exit-code'),
    isOutOfMemory: text.includes('"out-of-memory": true'),
  };
}

export interface Status {
  /** The first process inside, as it is called outside. */
  firstPid: number | null;
  pidNamespace: number | null;
  exitCode: number | null;
  isOutOfMemory: boolean;
}
