import { MAX_CHUNK_BYTES, MAX_CHUNK_LINES } from '../../logs/log-chunk.ts';

/** A chunk as far as it matters here. */
export interface ChunkSize {
  firstLine: number;
  lineCount: number;
  bytes: number;
}

/** Neighbours that become one chunk. */
export interface Merge {
  firstLine: number;
  lastLine: number;
  chunkCount: number;
}

/** On a day that still grows, fewer than these are left for later, when they are worth it. */
export const WORTH_MERGING = 32;

/**
 * Gathers neighbours as long as they fit into one chunk. What is full, or followed by something that does not
 * fit, is merged for good: a second run finds nothing to do.
 */
export function planMerges(chunks: readonly ChunkSize[], isDayOver: boolean): Merge[] {
  const groups: ChunkSize[][] = [];
  let fill = { lines: 0, bytes: 0, nextLine: -1 };
  for (const chunk of chunks) {
    const lines = fill.lines + chunk.lineCount;
    const bytes = fill.bytes + chunk.bytes;
    const fits = chunk.firstLine === fill.nextLine && lines <= MAX_CHUNK_LINES && bytes <= MAX_CHUNK_BYTES;
    if (fits) groups.at(-1)!.push(chunk);
    else groups.push([chunk]);
    fill = {
      lines: fits ? lines : chunk.lineCount,
      bytes: fits ? bytes : chunk.bytes,
      nextLine: chunk.firstLine + chunk.lineCount,
    };
  }
  const isLeft = (group: ChunkSize[], index: number) =>
    !isDayOver && index === groups.length - 1 && group.length < WORTH_MERGING;
  return groups.filter((group, index) => group.length > 1 && !isLeft(group, index)).map(toMerge);
}

function toMerge(group: readonly ChunkSize[]): Merge {
  const last = group.at(-1)!;
  return {
    firstLine: group[0]!.firstLine,
    lastLine: last.firstLine + last.lineCount - 1,
    chunkCount: group.length,
  };
}
