import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findProgram } from '../../lib/find-program.ts';
import { eventually } from '../../testing/eventually.ts';
import { sharedPlaces } from '../../sandbox/system-view.ts';
import { StartRefused } from '../runtime.ts';
import { detectHost } from './detect-host.ts';
import { startInstance } from './start-instance.ts';
import { conformToRuntime } from '../conformance.ts';
import { openInstanceBench, type InstanceBench } from './testing/instance-bench.ts';
import { openSandboxSubject } from './testing/sandbox-subject.ts';

const perl = findProgram(['perl'], '/usr/bin');
const isRoot = process.getuid?.() === 0;

describe.runIf(isRoot)('without bubblewrap, as root', () => {
  conformToRuntime(() => openSandboxSubject({ searchPath: '/nowhere' }));
});

describe('without bubblewrap', () => {
  let bench: InstanceBench;
  beforeAll(async () => {
    bench = await openInstanceBench({ searchPath: '/nowhere' });
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  it.runIf(isRoot)('an instance still has its own user, processes, /tmp and /home, and no capability', async () => {
    const lines = await bench.linesOf(
      'ls /tmp; ls /home; ls /proc | grep -c "^[0-9]"; grep CapEff /proc/self/status; touch file && echo written',
    );
    expect(lines).toEqual([
      'app',
      'tmp',
      'tools',
      'user',
      expect.stringMatching(/^\d$/),
      'CapEff:\t0000000000000000',
      'written',
    ]);
  });

  it.runIf(isRoot)('an instance has the places where everybody writes to itself, within its memory', async () => {
    const places = sharedPlaces();
    expect(places).toContain('/dev/shm');
    const name = `lilac-${process.pid}`;
    for (const place of places.filter((each) => each !== '/dev/mqueue')) {
      const path = join(place, name);
      writeFileSync(path, 'of the machine', { mode: 0o666 });
      onTestFinished(() => rmSync(path, { force: true }));
    }
    const lines = await bench.linesOf(
      places.map((place) => `cat ${place}/${name}; echo mine > ${place}/${name} && cat ${place}/${name}`).join('\n'),
    );
    expect(lines.filter((line) => !line.includes('No such file'))).toEqual(places.map(() => 'mine'));
    expect(readFileSync(join('/dev/shm', name), 'utf8')).toBe('of the machine');
    const [full] = await bench.linesOf('dd if=/dev/zero of=/dev/shm/big bs=1M count=400');
    expect(full).toContain('No space left on device');
  });

  it.runIf(isRoot && perl)('an instance does not own its output, to take a lease on it', async () => {
    const lease = `perl -e 'fcntl(STDOUT, 1024, 1) or print $! + 0, "\\n"'`;
    expect(await bench.linesOf(`${lease}; echo x >> /dev/stdout; echo y >> /proc/1/fd/1`)).toEqual(['13', 'x', 'y']);
  });

  it.runIf(isRoot && findProgram(['fallocate'], '/usr/bin'))('room reserved on the disk is given back', async () => {
    const id = await bench.start('fallocate -n -l 64M /proc/self/fd/1; echo reserved; sleep 1000');
    await bench.says(id, 'reserved');
    const output = join(bench.subject.home, 'outputs', id, 'stdout');
    await eventually('it is given back', () => statSync(output).blocks * 512 < 1024 ** 2);
    expect(readFileSync(output, 'utf8')).toBe('reserved\n');
  });

  it('a plain user cannot start any', async () => {
    const host = { ...(await detectHost({ folder: join(bench.subject.home, 'x'), path: '/nowhere' })), isRoot: false };
    const starting = startInstance(bench.spec('true'), { host } as Parameters<typeof startInstance>[1]);
    await expect(starting).rejects.toThrow(StartRefused);
    await expect(starting).rejects.toThrow(/bubblewrap/);
  });
});
