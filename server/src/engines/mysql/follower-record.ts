import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerPlace } from '../host/server-host.ts';

/** Who follows a server, kept in the platform's own folder: what it is started with must not depend on who asks. */
export interface FollowerRecord {
  /** Null: nobody, and so it need not write down what it does. */
  standbyId: string | null;
  /** Commits wait for the standby. Written before they wait no more, so that it never says more than is so. */
  isSynchronous: boolean;
}

const NOBODY: FollowerRecord = { standbyId: null, isSynchronous: false };

type Folder = Pick<ServerPlace, 'folder'>;

const recordOf = ({ folder }: Folder): string => join(folder, 'follower.json');
const stepMarkOf = ({ folder }: Folder): string => join(folder, 'in-step');

export function readFollower(place: Folder): FollowerRecord {
  try {
    return JSON.parse(readFileSync(recordOf(place), 'utf8')) as FollowerRecord;
  } catch {
    return NOBODY;
  }
}

export function writeFollower(place: Folder, record: FollowerRecord): void {
  writeWhole(recordOf(place), JSON.stringify(record));
}

/**
 * Beside a standby: it has received everything since it runs. What it has received and not yet applied goes with its
 * process, so whoever starts it takes the mark away. With it goes how many commits the primary had let go without an
 * answer by then (see `isInStep`).
 */
export function readStepMark(place: Folder): number | null {
  try {
    return Number(readFileSync(stepMarkOf(place), 'utf8'));
  } catch {
    return null;
  }
}

export function writeStepMark(place: Folder, unanswered: number): void {
  if (readStepMark(place) !== unanswered) writeWhole(stepMarkOf(place), String(unanswered));
}

export function removeStepMark(place: Folder): void {
  rmSync(stepMarkOf(place), { force: true });
}

function writeWhole(path: string, text: string): void {
  const file = openSync(`${path}.new`, 'w', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.new`, path);
}
