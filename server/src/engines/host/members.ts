import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessIdentity } from '../../lib/process-identity.ts';
import { processTree } from '../../lib/process-tree.ts';
import { membersOf, type Cgroup } from '../../sandbox/cgroups/cgroup.ts';

export interface ServerProcesses {
  cgroup: Cgroup;
  home: string;
  uid: number | null;
  main: ProcessIdentity | null;
}

/**
 * Every process of a server. Where no control group tells, those that descend from its main process, and those that
 * are at home in its folder: processes of PostgreSQL stay when their parent is killed.
 */
export function listMembers({ cgroup, home, uid, main }: ServerProcesses): number[] {
  const grouped = membersOf(cgroup);
  const descended = main ? (cgroup.length > 0 ? [main.pid] : processTree(main.pid)) : [];
  const found = cgroup.length > 0 ? [] : listDwellers(home, uid);
  return [...new Set([...grouped, ...descended, ...found])];
}

function listDwellers(home: string, uid: number | null): number[] {
  const owner = uid ?? process.getuid?.();
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .filter((name) => {
      try {
        const cwd = readlinkSync(`/proc/${name}/cwd`);
        return (cwd === home || cwd.startsWith(`${home}/`)) && statSync(`/proc/${name}`).uid === owner;
      } catch {
        return false;
      }
    })
    .map(Number);
}

const PATIENCE_MS = 10_000;
const POLL_MS = 5;

/** Also those that are being born meanwhile; rejects when the kernel does not let go. */
export async function killMembers(list: () => number[]): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (let pids = list(); pids.length > 0; pids = list()) {
    if (Date.now() > deadline) throw new Error(`processes ${pids.join(', ')} cannot be ended`);
    for (const pid of pids) sendSignal(pid, 'SIGKILL');
    await delay(POLL_MS);
  }
}

/** Harmless when it is gone. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
