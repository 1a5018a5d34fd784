import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { severities } from '@lilac/contract/states';
import { dayOf } from '../db/day-partitions.ts';
import { DecodedChunk } from './decoded-chunk.ts';
import type { LogEntry } from './log-entry.ts';
import { packEntries } from './pack-entries.ts';

/** Readers rely on it: the chunk with a given line begins less than so many lines before it. */
export const MAX_CHUNK_LINES = 1000;
/** What the messages of a chunk may have together: whoever reads one holds it in memory. */
export const MAX_CHUNK_BYTES = 256 * 1024;

/** Lines of one environment and one day (in UTC) that follow one another, ready to be stored. */
export interface EncodedChunk {
  lineCount: number;
  /** `2026-11-15`. */
  day: string;
  /** The earliest and the latest: clocks may go back. */
  firstAtMs: number;
  lastAtMs: number;
  /** A bit for each severity that is in it, the least severe first. */
  severities: number;
  /** Of the messages, uncompressed. */
  bytes: number;
  body: Buffer;
}

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
/** The next costs two to ten times as much and saves nothing that matters. */
const COMPRESSION = { [constants.ZSTD_c_compressionLevel]: 1 };
/** What is allocated at once for a result: about what it needs, so that it is seldom put together of parts. */
const SMALLEST_RESULT = 1024;
const LIKELY_RATIO = 8;
const severityIndexes = new Map(severities.map((severity, index) => [severity, index]));

/** The entries of one environment, in their order. */
export function encodeEntries(entries: readonly LogEntry[]): Promise<EncodedChunk[]> {
  return Promise.all(splitEntries(entries).map(encodeChunk));
}

export async function decodeChunk(row: { firstLine: number; body: Buffer }): Promise<DecodedChunk> {
  return new DecodedChunk(
    row.firstLine,
    await decompress(row.body, { chunkSize: SMALLEST_RESULT + row.body.length * LIKELY_RATIO }),
  );
}

interface Group {
  entries: LogEntry[];
  dayNumber: number;
  bytes: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

function splitEntries(entries: readonly LogEntry[]): Group[] {
  const groups: Group[] = [];
  let current: Group | undefined;
  for (const entry of entries) {
    const dayNumber = Math.floor(entry.atMs / DAY_MS);
    const bytes = Buffer.byteLength(entry.message);
    if (!current || !hasRoom(current, dayNumber, bytes)) {
      current = { entries: [], dayNumber, bytes: 0 };
      groups.push(current);
    }
    current.entries.push(entry);
    current.bytes += bytes;
  }
  return groups;
}

function hasRoom(group: Group, dayNumber: number, bytes: number): boolean {
  return (
    group.dayNumber === dayNumber && group.entries.length < MAX_CHUNK_LINES && group.bytes + bytes <= MAX_CHUNK_BYTES
  );
}

async function encodeChunk({ entries, dayNumber, bytes }: Group): Promise<EncodedChunk> {
  let firstAtMs = Infinity;
  let lastAtMs = -Infinity;
  let mask = 0;
  for (const { atMs, severity } of entries) {
    firstAtMs = Math.min(firstAtMs, atMs);
    lastAtMs = Math.max(lastAtMs, atMs);
    mask |= 1 << severityIndexes.get(severity)!;
  }
  const plain = packEntries(entries);
  const chunkSize = SMALLEST_RESULT + Math.ceil(plain.length / LIKELY_RATIO) * 2;
  const body = await compress(plain, { chunkSize, params: COMPRESSION });
  const day = dayOf(dayNumber * DAY_MS);
  return { lineCount: entries.length, day, firstAtMs, lastAtMs, severities: mask, bytes, body };
}
