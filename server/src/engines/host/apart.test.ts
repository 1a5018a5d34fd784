import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findCgroupFolders } from '../../sandbox/cgroups/find-folders.ts';
import { eventually } from '../../testing/eventually.ts';
import { openHostBench, smallSize } from './testing/host-bench.ts';

const isRoot = process.getuid?.() === 0;
const limited = new Set(findCgroupFolders().flatMap(({ controllers }) => controllers));

describe.runIf(isRoot)('servers of two databases', () => {
  it('have users of their own, and cannot read one another', async () => {
    await using bench = await openHostBench();
    const one = await bench.take('dbs_1');
    const other = await bench.take('dbs_2', { databaseId: 'db_2' });
    const standby = await bench.take('dbs_3');
    expect(other.uid).not.toBe(one.uid);
    expect(standby.uid).toBe(one.uid);
    writeFileSync(join(one.home, 'secret'), 'mine', { mode: 0o644 });
    one.own(join(one.home, 'secret'));
    expect(await bench.sh(one, `cat ${one.innerHome}/secret`)).toBe('mine');
    await bench.launch(one, 'echo up > up; sleep 1000');
    for (const way of [`${one.home}/secret`, `../home/secret`, `../../../../dbs_1/v/v/home/secret`]) {
      expect(await bench.sh(other, `cat ${way} 2>&1`)).not.toContain('mine');
    }
    expect(await bench.sh(other, 'for cwd in /proc/[0-9]*/cwd; do cat $cwd/secret; done 2>/dev/null')).toBe('');
    expect(await bench.sh(other, 'touch ../here ../../here 2>&1; rm ../reserve 2>&1')).toMatch(/(.* denied\n){3}/);
  });

  it('of two installations have other users, even for the same database', async () => {
    await using here = await openHostBench();
    await using there = await openHostBench();
    const [one, other] = [await here.take(), await there.take()];
    expect(one.uid).not.toBe(other.uid);
    await here.launch(one, 'sleep 1000');
    await there.launch(other, 'sleep 1000');
    await here.host.kill('dbs_1');
    expect(there.host.isRunning('dbs_1')).toBe(true);
  });
});

describe('what a server may use', () => {
  it.runIf(limited.has('memory'))('a hog is ended within its memory, which may be changed while it runs', async () => {
    await using bench = await openHostBench();
    const place = await bench.take();
    const hog = 'x=$(head -c 90000000 /dev/zero | tr "\\0" x); echo "${#x}"';
    expect(await bench.sh(place, hog)).not.toContain('90000000');
    await bench.launch(place, 'echo up > up; sleep 1000');
    bench.host.setLimits(place, { ...smallSize, memoryMb: 1024 });
    expect(await bench.sh(place, hog)).toContain('90000000');
    bench.host.setLimits(place, { ...smallSize, memoryMb: 96 });
    expect(await bench.sh(place, hog)).not.toContain('90000000');
    expect(bench.host.isRunning('dbs_1')).toBe(true);
  });

  it('is counted', async () => {
    await using bench = await openHostBench();
    const place = await bench.take();
    await bench.launch(
      place,
      'x=$(head -c 20000000 /dev/zero | tr "\\0" x); i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo "$i" > done; sleep 1000',
    );
    await eventually('it has worked', () => readDone(place.home) === '300000');
    const usage = await bench.host.usage(place);
    expect(usage.cpuSeconds).toBeGreaterThan(0.02);
    expect(usage.memoryBytes).toBeGreaterThan(20_000_000);
    expect(usage.memoryBytes).toBeLessThan(smallSize.memoryMb * 1024 ** 2);
  });
});

function readDone(home: string): string {
  try {
    return readFileSync(join(home, 'done'), 'utf8').trim();
  } catch {
    return '';
  }
}
