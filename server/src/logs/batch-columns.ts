import { dayOf } from '../db/day-partitions.ts';
import type { EncodedChunk } from './log-chunk.ts';

/** What is appended to one environment. */
export interface LogBatch {
  environmentId: string;
  chunks: readonly EncodedChunk[];
  /** Lines that were not stored, to be counted. */
  droppedLines?: number;
  /** They are about requests: counted apart, since they may be only a part. */
  isOfAccess?: boolean;
}

/** What a statement is given: a list for each column. */
export interface BatchColumns {
  heads: { ids: string[]; lines: number[] };
  chunks: {
    ids: string[];
    days: string[];
    /** How many lines of the same append come before. */
    skipped: number[];
    lineCounts: number[];
    firstAt: number[];
    lastAt: number[];
    severities: number[];
    bytes: number[];
    /** All bodies in one, and where each is in it, counted from 1. */
    bodies: Buffer;
    bodyAt: number[];
    bodySizes: number[];
  };
  usage: { ids: string[]; days: string[]; lines: number[]; bytes: number[]; accessBytes: number[]; dropped: number[] };
}

interface Used {
  id: string;
  day: string;
  lines: number;
  bytes: number;
  accessBytes: number;
  dropped: number;
}

export function batchColumns(batches: readonly LogBatch[]): BatchColumns {
  const lines = new Map<string, number>();
  const used = new Map<string, Used>();
  const chunks = emptyChunks();
  const bodies: Buffer[] = [];
  let bodyAt = 1;
  for (const { environmentId: id, chunks: added, droppedLines = 0, isOfAccess } of batches) {
    let skipped = lines.get(id) ?? 0;
    for (const chunk of added) {
      pushChunk(chunks, { id, skipped, bodyAt, chunk });
      bodies.push(chunk.body);
      bodyAt += chunk.body.length;
      skipped += chunk.lineCount;
      const { day, lineCount, bytes } = chunk;
      addUsage(used, { id, day, lines: lineCount, bytes, accessBytes: isOfAccess ? bytes : 0, dropped: 0 });
    }
    lines.set(id, skipped);
    const day = added.at(-1)?.day ?? dayOf(Date.now());
    if (droppedLines > 0) addUsage(used, { id, day, lines: 0, bytes: 0, accessBytes: 0, dropped: droppedLines });
  }
  const all = [...used.values()];
  return {
    heads: { ids: [...lines.keys()], lines: [...lines.values()] },
    chunks: { ...chunks, bodies: Buffer.concat(bodies) },
    usage: {
      ids: all.map(({ id }) => id),
      days: all.map(({ day }) => day),
      lines: all.map((one) => one.lines),
      bytes: all.map(({ bytes }) => bytes),
      accessBytes: all.map(({ accessBytes }) => accessBytes),
      dropped: all.map(({ dropped }) => dropped),
    },
  };
}

type ChunkColumns = Omit<BatchColumns['chunks'], 'bodies'>;

function emptyChunks(): ChunkColumns {
  return {
    ids: [],
    days: [],
    skipped: [],
    lineCounts: [],
    firstAt: [],
    lastAt: [],
    severities: [],
    bytes: [],
    bodyAt: [],
    bodySizes: [],
  };
}

function pushChunk(
  columns: ChunkColumns,
  { id, skipped, bodyAt, chunk }: { id: string; skipped: number; bodyAt: number; chunk: EncodedChunk },
): void {
  columns.ids.push(id);
  columns.days.push(chunk.day);
  columns.skipped.push(skipped);
  columns.lineCounts.push(chunk.lineCount);
  columns.firstAt.push(chunk.firstAtMs);
  columns.lastAt.push(chunk.lastAtMs);
  columns.severities.push(chunk.severities);
  columns.bytes.push(chunk.bytes);
  columns.bodyAt.push(bodyAt);
  columns.bodySizes.push(chunk.body.length);
}

function addUsage(used: Map<string, Used>, one: Used): void {
  const key = `${one.id} ${one.day}`;
  const known = used.get(key);
  if (!known) {
    used.set(key, one);
    return;
  }
  known.lines += one.lines;
  known.bytes += one.bytes;
  known.accessBytes += one.accessBytes;
  known.dropped += one.dropped;
}
