import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { createLocalObjectStore } from '../../../objects/local/local-object-store.ts';

/** What a store does that is not well: it is away, breaks off half-way, gives other bytes, or nothing at all. */
export type Mood = 'well' | 'away' | 'breaks-off' | 'lies' | 'silent';

/** A store that is elsewhere: nobody but the cache looks into its folder. */
export function openFaultyObjects() {
  const root = mkdtempSync(join(tmpdir(), 'lilac-elsewhere-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const objects = createLocalObjectStore({
    root,
    signingKey: Buffer.alloc(32),
    publicUrl: new URL('http://lilac.test'),
  });
  const reads: string[] = [];
  const state = { mood: 'well' as Mood };
  const read = (key: string): Readable => {
    reads.push(key);
    const whole = objects.read(key);
    if (state.mood === 'well') return whole;
    whole.destroy();
    if (state.mood === 'silent') return new Readable({ read() {} });
    return Readable.from(badly(state.mood));
  };
  return { root, reads, state, objects: { read } };
}

async function* badly(mood: Mood): AsyncIterable<Buffer> {
  if (mood === 'away') throw new Error('connect ECONNREFUSED');
  yield Buffer.from('{"version":1');
  if (mood === 'breaks-off') throw new Error('socket hang up');
}
