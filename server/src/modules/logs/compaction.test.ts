import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_CHUNK_BYTES, MAX_CHUNK_LINES } from '../../logs/log-chunk.ts';
import { planMerges, WORTH_MERGING, type ChunkSize, type Merge } from './compaction.ts';

/** Chunks one after another; a gap is where lines of another day are. */
function chunksOf(sizes: readonly (readonly [lines: number, bytes?: number, gap?: number])[]): ChunkSize[] {
  let nextLine = 1;
  return sizes.map(([lineCount, bytes = lineCount * 100, gap = 0]) => {
    const firstLine = nextLine + gap;
    nextLine = firstLine + lineCount;
    return { firstLine, lineCount, bytes };
  });
}

/** What is there when the merges were done. */
function merged(chunks: readonly ChunkSize[], merges: readonly Merge[]): ChunkSize[] {
  return chunks.flatMap((chunk) => {
    const merge = merges.find(({ firstLine, lastLine }) => firstLine <= chunk.firstLine && chunk.firstLine <= lastLine);
    if (!merge) return [chunk];
    if (merge.firstLine !== chunk.firstLine) return [];
    const parts = chunks.filter((part) => merge.firstLine <= part.firstLine && part.firstLine <= merge.lastLine);
    expect(parts.length).toBe(merge.chunkCount);
    const sum = (of: (part: ChunkSize) => number) => parts.reduce((total, part) => total + of(part), 0);
    return [{ firstLine: chunk.firstLine, lineCount: sum((part) => part.lineCount), bytes: sum((part) => part.bytes) }];
  });
}

const endOf = (chunks: readonly ChunkSize[]) => (chunks.at(-1)?.firstLine ?? 0) + (chunks.at(-1)?.lineCount ?? 0);

const anyChunks = fc
  .array(
    fc.tuple(
      fc.integer({ min: 1, max: MAX_CHUNK_LINES }),
      fc.integer({ min: 0, max: MAX_CHUNK_BYTES }),
      fc.constantFrom(0, 0, 0, 0, 5),
    ),
    { maxLength: 80 },
  )
  .map(chunksOf);

describe('what is merged', () => {
  it('is neighbours that fit into one chunk, up to where the next does not', () => {
    const chunks = chunksOf([[400], [400], [400], [1000], [10], [10]]);
    expect(planMerges(chunks, true)).toEqual([
      { firstLine: 1, lastLine: 800, chunkCount: 2 },
      { firstLine: 2201, lastLine: 2220, chunkCount: 2 },
    ]);
  });

  it('is not what lines of another day are between', () => {
    expect(planMerges(chunksOf([[10], [10, 1000, 5]]), true)).toEqual([]);
  });

  it('is, at the end of a day that still grows, only what is worth it', () => {
    const few = chunksOf(Array.from({ length: WORTH_MERGING - 1 }, () => [1] as const));
    const many = chunksOf(Array.from({ length: WORTH_MERGING }, () => [1] as const));
    expect(planMerges(few, false)).toEqual([]);
    expect(planMerges(few, true)).toHaveLength(1);
    expect(planMerges(many, false)).toEqual([{ firstLine: 1, lastLine: WORTH_MERGING, chunkCount: WORTH_MERGING }]);
  });

  it('is never too large, loses no line, and leaves nothing for a second time', () => {
    fc.assert(
      fc.property(anyChunks, fc.boolean(), (chunks, isDayOver) => {
        const after = merged(chunks, planMerges(chunks, isDayOver));
        expect(endOf(after)).toBe(endOf(chunks));
        for (const { lineCount, bytes } of after) {
          expect(lineCount).toBeLessThanOrEqual(MAX_CHUNK_LINES);
          expect(bytes).toBeLessThanOrEqual(MAX_CHUNK_BYTES);
        }
        expect(planMerges(after, isDayOver)).toEqual([]);
      }),
    );
  });
});
