import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a server's main process notes of itself in `postmaster.pid`, line by line; see PostgreSQL's miscadmin.h. */
export interface MainProcessFile {
  pid: number | null;
  port: number | null;
  /** The segment of System V's shared memory that it has. */
  segment: { key: number; id: number } | null;
  /** It takes connections, as far as it has noted. */
  isReady: boolean;
}

const PORT_LINE = 3;
const SEGMENT_LINE = 6;
const STATUS_LINE = 7;

/** Also that of one which was killed: the file stays. Null where there is none. */
export function readMainProcessFile(home: string): MainProcessFile | null {
  try {
    return parseMainProcessFile(readFileSync(join(home, 'postmaster.pid'), 'utf8'));
  } catch {
    return null;
  }
}

export function parseMainProcessFile(text: string): MainProcessFile {
  const lines = text.split('\n').map((line) => line.trim());
  const [key, id] = (lines[SEGMENT_LINE] ?? '').split(/\s+/);
  return {
    pid: Number(lines[0]) || null,
    port: Number(lines[PORT_LINE]) || null,
    segment: key && id ? { key: Number(key), id: Number(id) } : null,
    isReady: lines[STATUS_LINE] === 'ready',
  };
}
