import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../../lib/write-whole.ts';
import type { ServerPlace } from '../host/server-host.ts';

/** Whom a standby follows, kept in the platform's own folder. */
export interface FollowsRecord {
  primaryId: string;
  primaryPort: number;
  password: string;
  /** How many connections the primary ran with when it was copied. */
  connections: number;
}

const pathOf = ({ folder }: ServerPlace): string => join(folder, 'follows.json');

export function writeFollows(place: ServerPlace, record: FollowsRecord): void {
  writeWhole(pathOf(place), JSON.stringify(record), { mode: 0o600 });
}

export function readFollows(place: ServerPlace): FollowsRecord | null {
  try {
    return JSON.parse(readFileSync(pathOf(place), 'utf8')) as FollowsRecord;
  } catch {
    return null;
  }
}

export function removeFollows(place: ServerPlace): void {
  rmSync(pathOf(place), { force: true });
}
