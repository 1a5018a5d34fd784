import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { createCollectBench } from './testing/collect-bench.ts';

describe('while the store is away', () => {
  it('little is read, and all of it comes when the store is back, once', async () => {
    await using bench = await createCollectBench();
    const { host, environmentId, store } = bench;
    host.begin('ins_1', environmentId);
    host.write('ins_1', 'stdout', 'before\n');
    await bench.lines(1);
    let isAway = true;
    let refused = 0;
    let mostRead = 0;
    await bench.restart({
      store: {
        get db() {
          if (!isAway) return store.db;
          refused++;
          throw new Error('away');
        },
      },
      runtime: {
        ...host.runtime,
        readOutput: (id, from, maxBytes) => {
          mostRead = Math.max(mostRead, from.stdout + maxBytes);
          return host.runtime.readOutput(id, from, maxBytes);
        },
      },
    });
    const written = Array.from({ length: 40_000 }, (_, index) => `line ${index} ${'x'.repeat(100)}`);
    host.write('ins_1', 'stdout', `${written.join('\n')}\n`);
    await eventually('it was tried again', () => refused >= 3);
    expect(mostRead).toBeLessThanOrEqual(2 * 1024 ** 2);
    isAway = false;
    const messages = (await bench.lines(40_001)).map(({ message }) => message);
    expect(messages).toEqual(['before', ...written]);
  });

  it('what is too much for the disk meanwhile is lost, and the log says so where it was', async () => {
    await using bench = await createCollectBench({ settings: { LILAC_LOG_LINES_PER_SECOND: '1000000' } });
    const { host, environmentId } = bench;
    host.begin('ins_1', environmentId);
    host.write('ins_1', 'stdout', 'before\n');
    await bench.lines(1);
    await bench.collector.stop();
    const line = `${'x'.repeat(1023)}\n`;
    for (let mebibytes = 0; mebibytes < 80; mebibytes++) host.write('ins_1', 'stdout', line.repeat(1024));
    const folder = join(host.root, 'outputs', 'ins_1');
    host.trim();
    await eventually('some is gone', () => statSync(join(folder, 'stdout')).blocks * 512 < 64 * 1024 ** 2);
    await bench.restart();
    host.stop('ins_1');
    await eventually('all is read', async () => (await host.runtime.outputs()).length === 0);
    const messages = (await bench.readAll()).map(({ message }) => message);
    expect(messages[0]).toBe('before');
    const lost = messages.find((message) => message.includes('were lost here'));
    const lostBytes = Number(lost?.split(' ')[0]?.replaceAll(',', ''));
    const kept = messages.filter((message) => message.startsWith('x'));
    // The first of them may have lost its beginning.
    expect(lostBytes + Buffer.byteLength(kept.join('')) + kept.length).toBe(80 * 1024 ** 2);
    expect(kept.length).toBeGreaterThan(30 * 1024);
  });

  it('a commit whose answer was lost is found out, and nothing is stored twice', async () => {
    await using bench = await createCollectBench();
    const { host, environmentId, store } = bench;
    host.begin('ins_1', environmentId);
    let lost = 0;
    const answerLost = new Proxy(store.db, {
      get(db, name) {
        const value = Reflect.get(db, name, db) as unknown;
        if (name !== 'transaction') return typeof value === 'function' ? value.bind(db) : value;
        return () => ({
          async execute<T>(work: Parameters<ReturnType<typeof db.transaction>['execute']>[0]): Promise<T> {
            await db.transaction().execute(work);
            lost++;
            throw new Error('the connection was lost');
          },
        });
      },
    });
    await bench.restart({ store: { db: answerLost } });
    host.write('ins_1', 'stdout', 'one\n');
    await eventually('it was lost', () => lost > 0);
    host.write('ins_1', 'stdout', 'two\n');
    await eventually('it was lost again', () => lost > 1);
    await bench.restart();
    host.write('ins_1', 'stdout', 'three\n');
    expect((await bench.lines(3)).map(({ message }) => message)).toEqual(['one', 'two', 'three']);
  });
});
