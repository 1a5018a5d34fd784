import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Every start as a service has a folder of its own beside the server's files, and its container has that folder as a
 * mount: where the folder has been renamed, the engine cannot start the container any more. So nothing that a killed
 * platform had asked the swarm for comes to life unseen. It stays until nothing of that start is left.
 */
const MARK = 'service.';
const OLD = 'old-service.';

/** Gives the name of the start. */
export function markLaunch(folder: string): string {
  const launch = randomBytes(6).toString('hex');
  mkdirSync(markPath(folder, launch), { mode: 0o700 });
  return launch;
}

export const markPath = (folder: string, launch: string): string => join(folder, `${MARK}${launch}`);

/** The start that may be running; null when there is none. */
export function markedLaunch(folder: string): string | null {
  const mark = namesIn(folder).find((name) => name.startsWith(MARK));
  return mark?.slice(MARK.length) ?? null;
}

/** Whether anything may be left of a start. */
export const hasMarks = (folder: string): boolean => namesIn(folder).some(isMark);

/** From here on none of the starts can become a process, unless it is one already. */
export function shutMarks(folder: string): void {
  for (const name of namesIn(folder).filter((each) => each.startsWith(MARK))) {
    renameSync(join(folder, name), join(folder, name.replace(MARK, OLD)));
  }
}

/** When nothing is left of those that were shut. */
export function clearMarks(folder: string): void {
  for (const name of namesIn(folder).filter((each) => each.startsWith(OLD))) {
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}

const isMark = (name: string): boolean => name.startsWith(MARK) || name.startsWith(OLD);

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
