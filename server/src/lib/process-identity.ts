import { readFileSync } from 'node:fs';

/** A pid alone may have been given to somebody else; with its start time it is one process for ever. */
export interface ProcessIdentity {
  pid: number;
  /** Clock ticks since boot. */
  startTime: string;
}

export function identify(pid: number): ProcessIdentity | null {
  const startTime = startTimeOf(pid);
  return startTime === null ? null : { pid, startTime };
}

export function isAlive(process: ProcessIdentity): boolean {
  return startTimeOf(process.pid) === process.startTime;
}

function startTimeOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may hold anything; the rest follows the last bracket.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? null : (fields[18] ?? null);
  } catch {
    return null;
  }
}

/** Waits until it has ended; false when it is still there after the given time. */
export async function waitForExit(process: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isAlive(process)) {
    if (Date.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}

/** Sends the signals one after another until it has ended. */
export async function endProcess(
  target: ProcessIdentity,
  steps: readonly { signal: NodeJS.Signals; waitMs: number }[],
): Promise<void> {
  for (const { signal, waitMs } of steps) {
    if (!isAlive(target)) return;
    try {
      process.kill(target.pid, signal);
    } catch {
      return;
    }
    if (await waitForExit(target, waitMs)) return;
  }
}
