import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { makeHome, openHostBench, remainsOf } from './testing/host-bench.ts';
import { kill, startPlatform } from './testing/start-platform.ts';

/** A number nobody else sleeps for, to find the processes of one test by. */
const newMarker = () => String(100_000 + Math.floor(Math.random() * 900_000));

function processesOf(marker: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`sleep\0${marker}`);
    } catch {
      return false;
    }
  });
}

describe('kill -9 of the platform', () => {
  it('leaves its servers running, and the next one has them, and hears of their end', async () => {
    const home = makeHome();
    const platform = startPlatform(home, 'serve', 'echo up > up; while [ ! -e go ]; do sleep 0.02; done');
    await platform.firstLine;
    await kill(platform);
    await using bench = await openHostBench({ home });
    const place = await bench.host.find('dbs_1');
    await eventually('it is up', () => existsSync(join(place!.home, 'up')));
    expect(bench.host.isRunning('dbs_1')).toBe(true);
    await expect(bench.launch(place!, 'true')).rejects.toThrow('runs already');
    writeFileSync(join(place!.home, 'go'), '');
    await eventually('its end is told', () => bench.exits.length > 0);
    expect(bench.exits).toEqual(['dbs_1']);
    expect(bench.host.isRunning('dbs_1')).toBe(false);
  });

  it('the next one ends what it left running, and tells nobody', async () => {
    const home = makeHome();
    const marker = newMarker();
    const platform = startPlatform(home, 'serve', `trap '' TERM; sleep ${marker} & while :; do sleep 0.1; done`);
    await platform.firstLine;
    await kill(platform);
    await using bench = await openHostBench({ home });
    await bench.host.end('dbs_1', [{ signal: 'SIGTERM', waitMs: 50 }]);
    expect(processesOf(marker)).toEqual([]);
    expect(bench.host.isRunning('dbs_1')).toBe(false);
    expect(bench.exits).toEqual([]);
  });

  it('at any moment of making, starting, growing, removing is mended by doing it again', async () => {
    const home = makeHome();
    const marker = newMarker();
    for (let round = 0; round < 8; round++) {
      const platform = startPlatform(home, 'churn', `exec sleep ${marker}`);
      await platform.firstLine;
      await delay(round * 37);
      await kill(platform);
      await using bench = await openHostBench({ home, keepHome: true });
      const place = await bench.take();
      writeFileSync(join(place.home, 'works'), 'yes');
      if (!bench.host.isRunning('dbs_1')) await bench.launch(place, `exec sleep ${marker}`);
      await eventually('it runs', () => processesOf(marker).length > 0);
      expect(processesOf(marker)).toHaveLength(1);
      await bench.host.grow('dbs_1', 3);
      expect((await bench.host.space(place)).promisedBytes).toBe(3 * 1024 ** 3);
      await bench.host.remove('dbs_1');
      expect(readdirSync(join(home, 'databases'))).toEqual([]);
      expect(processesOf(marker)).toEqual([]);
      expect(remainsOf(home, 'dbs_1')).toEqual([]);
    }
    await using _last = await openHostBench({ home });
  });
});
