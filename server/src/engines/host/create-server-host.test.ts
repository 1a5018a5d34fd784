import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { describeHost, listOwn } from './testing/describe-host.ts';
import { makeHome, openHostBench } from './testing/host-bench.ts';

const isRoot = process.getuid?.() === 0;

describeHost('processes', () => openHostBench());

describe('a process of a server', () => {
  it('is reached by a short name however deep its home lies', async () => {
    const home = makeHome();
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    await using bench = await openHostBench({ home: join(home, 'a-name-that-is-longer-than-most', 'and-deeper') });
    const place = await bench.take('dbs_01k00000000000000000000000');
    expect(bench.host.socketFolder(place.serverId)).toBe(place.home);
    await bench.launch(place, 'echo yes > here; sleep 1000');
    await eventually('it is at home', () => existsSync(join(place.home, 'here')));
    const short = bench.host.socketFolder(place.serverId);
    expect(short.length).toBeLessThan(40);
    expect(readFileSync(join(short, 'here'), 'utf8')).toBe('yes\n');
  });

  it('a helper that takes too long is ended with all that it has started', async () => {
    await using bench = await openHostBench();
    const place = await bench.take();
    const slow = { argv: ['/bin/sh', '-c', 'echo begun; sleep 1000 & sleep 1000'], timeoutMs: 200 } as const;
    expect(await bench.host.run(place, slow)).toEqual({ exitCode: null, output: 'begun\n' });
    expect(listOwn(place.home)).toEqual([]);
    const failing = { argv: ['/bin/sh', '-c', 'echo why >&2; exit 3'], timeoutMs: 60_000 } as const;
    expect(await bench.host.run(place, failing)).toEqual({ exitCode: 3, output: 'why\n' });
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
