import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { sharesDisk, watchRoom } from './engine-room.ts';

const watchFiles = (...free: number[]) => {
  const looks: number[] = [];
  const readFiles = async () => {
    looks.push(free[looks.length] ?? free.at(-1)!);
    return { free: looks.at(-1)!, total: 1000 };
  };
  return { looks, watch: watchRoom(tmpdir(), { readFiles, everyMs: 1 }) };
};

describe('the room of the engine', () => {
  it('is shared or its own', async () => {
    expect(await sharesDisk(tmpdir(), tmpdir())).toBe(true);
    expect(await sharesDisk(tmpdir(), '/proc')).toBe(false);
  });

  it('ends what leaves no room for files', async () => {
    const { watch } = watchFiles(500, 60, 40);
    using _over = watch;
    await once(watch.signal, 'abort');
    expect(watch.signal.reason).toMatchObject({ message: expect.stringContaining('hardly room for more') as string });
  });

  it('does not end what found little, and takes none of it', async () => {
    const { watch, looks } = watchFiles(40, 45);
    using _over = watch;
    await eventually('it was looked some times', () => looks.length > 5);
    expect(watch.signal.aborted).toBe(false);
  });
});
