import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { openHostBench, remainsOf } from './testing/host-bench.ts';

const isRoot = process.getuid?.() === 0;

describe('a place', () => {
  it('is made once, and found again', async () => {
    await using bench = await openHostBench();
    expect(await bench.host.find('dbs_1')).toBeNull();
    const place = await bench.take();
    writeFileSync(join(place.home, 'kept'), 'yes');
    expect(await bench.take()).toMatchObject({ home: place.home, uid: place.uid });
    expect((await bench.host.find('dbs_1'))?.home).toBe(place.home);
    expect(readFileSync(join(place.home, 'kept'), 'utf8')).toBe('yes');
    expect(bench.host.list('postgresql')).toEqual(['dbs_1']);
    expect(bench.host.list('mysql')).toEqual([]);
  });

  it('leaves nothing when it is removed', async () => {
    await using bench = await openHostBench();
    const place = await bench.take('dbs_removed');
    await bench.launch(place, 'sleep 1000 & sleep 1000');
    await bench.host.remove('dbs_removed');
    expect(bench.host.list('postgresql')).toEqual([]);
    expect(readdirSync(join(bench.home, 'databases'))).toEqual([]);
    expect(remainsOf(bench.home, 'dbs_removed')).toEqual([]);
    expect(bench.exits).toEqual([]);
    await bench.host.remove('dbs_removed');
  });
});

describe('a server', () => {
  it('runs in its home, with its output in the log, and its end is told once', async () => {
    await using bench = await openHostBench();
    const place = await bench.take();
    await bench.launch(
      place,
      `echo "at $(readlink ${place.innerHome})"; echo up > up; while [ ! -e go ]; do sleep 0.02; done`,
    );
    await eventually('it is up', () => existsSync(join(place.home, 'up')));
    expect(bench.host.isRunning('dbs_1')).toBe(true);
    expect(readFileSync(place.logFile, 'utf8')).toBe(`at ${place.home}\n`);
    expect(statSync(join(place.home, 'up')).uid).toBe(place.uid ?? process.getuid?.());
    await expect(bench.launch(place, 'true')).rejects.toThrow('runs already');
    writeFileSync(join(place.home, 'go'), '');
    await eventually('its end is told', () => bench.exits.length > 0);
    expect(bench.exits).toEqual(['dbs_1']);
    expect(bench.host.isRunning('dbs_1')).toBe(false);
  });

  it.runIf(isRoot)('has no privileges, and no way to any', async () => {
    await using bench = await openHostBench();
    const place = await bench.take();
    const status = await bench.sh(place, 'cat /proc/self/status; cat /proc/self/oom_score_adj; ls /proc/self/fd');
    expect(status).toMatch(/^Uid:\t(\d+)\t\1\t\1\t\1$/m);
    expect(status).toMatch(/^CapEff:\t0+$/m);
    expect(status).toMatch(/^CapBnd:\t0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    expect(status).toMatch(/^Groups:\t *$/m);
  });
});
