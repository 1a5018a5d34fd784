import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive, type ProcessIdentity } from '../../lib/process-identity.ts';
import { readBootId } from '../../runtime/held/instance-record.ts';

/**
 * Every start has a folder of its own, in which the process notes itself before it becomes the server. Without the
 * folder it cannot, and ends: so nothing that a killed platform had begun to start comes to life unseen.
 */
const LAUNCH = 'launch.';
const OLD = 'old-launch.';
const NOTE = 'process';

/** What the process is to write a line of /proc/self/stat into. */
export function prepareLaunch(folder: string): string {
  // Pids and start times mean nothing after the machine was started anew.
  const launch = join(folder, `${LAUNCH}${readBootId().slice(0, 8)}.${randomBytes(6).toString('hex')}`);
  mkdirSync(launch, { mode: 0o700 });
  return join(launch, NOTE);
}

export const isNoted = (note: string): boolean => readNote(dirname(note)) !== null;

/** The main process that runs; null when none does. */
export function findMain(folder: string): ProcessIdentity | null {
  const boot = `${LAUNCH}${readBootId().slice(0, 8)}.`;
  const noted = namesIn(folder)
    .filter((name) => name.startsWith(boot))
    .map((name) => readNote(join(folder, name)));
  return noted.find((process) => process !== null && isAlive(process)) ?? null;
}

const NOTE_WAIT_MS = 5000;

/** The same, and when it is none, none of the earlier starts can become one any more. */
export async function settleLaunches(folder: string): Promise<ProcessIdentity | null> {
  const running = findMain(folder);
  if (running) return running;
  for (const name of namesIn(folder).filter((each) => each.startsWith(LAUNCH))) {
    const old = join(folder, name.replace(LAUNCH, OLD));
    renameSync(join(folder, name), old);
    if (namesIn(old).includes(NOTE)) await awaitNote(old);
    const late = readNote(old);
    if (late && name.startsWith(`${LAUNCH}${readBootId().slice(0, 8)}.`) && isAlive(late)) {
      renameSync(old, join(folder, name));
      return late;
    }
  }
  for (const name of namesIn(folder).filter((each) => each.startsWith(OLD))) {
    rmSync(join(folder, name), { recursive: true, force: true });
  }
  return null;
}

/** It has opened the file, and writes the next moment. */
async function awaitNote(launch: string): Promise<void> {
  const deadline = Date.now() + NOTE_WAIT_MS;
  while (readNote(launch) === null && Date.now() < deadline) await delay(5);
}

function readNote(launch: string): ProcessIdentity | null {
  try {
    const line = readFileSync(join(launch, NOTE), 'utf8');
    const startTime = line.slice(line.lastIndexOf(')') + 2).split(' ')[19];
    return startTime ? { pid: Number.parseInt(line, 10), startTime } : null;
  } catch {
    return null;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
