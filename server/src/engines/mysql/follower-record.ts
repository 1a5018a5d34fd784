import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../../lib/write-whole.ts';
import type { ServerPlace } from '../host/server-host.ts';

/** Who follows a server, kept in the platform's own folder: what it is started with must not depend on who asks. */
export interface FollowerRecord {
  /** Null: nobody, and so it need not write down what it does. */
  standbyId: string | null;
  /** Commits wait for the standby. Written before they wait no more, so that it never says more than is so. */
  isSynchronous: boolean;
}

const NOBODY: FollowerRecord = { standbyId: null, isSynchronous: false };

const SAFELY = { mode: 0o600, isSynced: true };

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
  writeWhole(recordOf(place), JSON.stringify(record), SAFELY);
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
  if (readStepMark(place) !== unanswered) writeWhole(stepMarkOf(place), String(unanswered), SAFELY);
}

export function removeStepMark(place: Folder): void {
  rmSync(stepMarkOf(place), { force: true });
}
