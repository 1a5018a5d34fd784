import fc from 'fast-check';
import { severities } from '@lilac/contract/states';
import { describe, expect, it } from 'vitest';
import { decodeChunk, encodeEntries, MAX_CHUNK_BYTES, MAX_CHUNK_LINES, type EncodedChunk } from './log-chunk.ts';
import type { LogEntry, NumberedEntry } from './log-entry.ts';
import { makeSafe } from './make-safe.ts';
import { entry } from './testing/log-world.ts';

const NOON = Date.parse('2026-11-15T12:00:00Z');
const DAY_MS = 24 * 60 * 60 * 1000;

async function decodeAll(chunks: readonly EncodedChunk[]): Promise<NumberedEntry[]> {
  const all: NumberedEntry[] = [];
  for (const { body } of chunks) all.push(...(await decodeChunk({ firstLine: all.length + 1, body })).entries());
  return all;
}

const anyEntry: fc.Arbitrary<LogEntry> = fc.record({
  atMs: fc.integer({ min: NOON - 2 * DAY_MS, max: NOON }),
  severity: fc.constantFrom(...severities),
  message: fc
    .oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.constant(''))
    .map((text) => makeSafe(text)),
  instanceId: fc.option(fc.constantFrom('ins_a', 'ins_b', 'ins_ü"')),
  deploymentId: fc.option(fc.constantFrom('dep_a', 'dep_b')),
});

describe('chunks of lines', () => {
  it('give back what was put in, in its order, with what is said about them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEntry, { maxLength: 200 }), async (entries) => {
        const chunks = await encodeEntries(entries);
        expect(await decodeAll(chunks)).toEqual(entries.map((one, index) => ({ ...one, line: index + 1 })));
        let from = 0;
        for (const chunk of chunks) {
          const part = entries.slice(from, (from += chunk.lineCount));
          const times = part.map(({ atMs }) => atMs);
          expect([chunk.firstAtMs, chunk.lastAtMs]).toEqual([Math.min(...times), Math.max(...times)]);
          expect([...new Set(times.map((at) => new Date(at).toISOString().slice(0, 10)))]).toEqual([chunk.day]);
          expect(chunk.bytes).toBe(part.reduce((sum, { message }) => sum + Buffer.byteLength(message), 0));
          const has = severities.filter((_, bit) => (chunk.severities >> bit) & 1);
          expect(new Set(has)).toEqual(new Set(part.map(({ severity }) => severity)));
        }
      }),
    );
  });

  it('hold a thousand lines at most, a bounded amount of text, and one day', async () => {
    const short = Array.from({ length: 2500 }, (_, index) => entry({ message: String(index), atMs: NOON }));
    expect((await encodeEntries(short)).map(({ lineCount }) => lineCount)).toEqual([1000, 1000, 500]);
    const long = Array.from({ length: 100 }, () => entry({ message: 'x'.repeat(16_384), atMs: NOON }));
    for (const chunk of await encodeEntries(long)) expect(chunk.bytes).toBeLessThanOrEqual(MAX_CHUNK_BYTES);
    const twoDays = [NOON - DAY_MS, NOON].map((atMs) => entry({ message: 'x', atMs }));
    expect((await encodeEntries(twoDays)).map(({ day }) => day)).toEqual(['2026-11-14', '2026-11-15']);
    expect(await encodeEntries([])).toEqual([]);
  });

  it('keep lines apart, even one that has a newline', async () => {
    const chunks = await encodeEntries(['one\ntwo', 'three'].map((message) => entry({ message, atMs: NOON })));
    expect((await decodeAll(chunks)).map(({ message }) => message)).toEqual(['one two', 'three']);
  });

  it('can have a source for every line', async () => {
    const entries = Array.from({ length: MAX_CHUNK_LINES }, (_, index) =>
      entry({ message: 'x', atMs: NOON, instanceId: `ins_${index}`, deploymentId: index % 2 ? null : 'dep' }),
    );
    expect(await decodeAll(await encodeEntries(entries))).toMatchObject(entries);
  });

  it('say so when they are of a kind that is not known yet', async () => {
    const { zstdCompressSync } = await import('node:zlib');
    await expect(decodeChunk({ firstLine: 1, body: zstdCompressSync(Buffer.from([9])) })).rejects.toThrow('version 9');
  });
});
