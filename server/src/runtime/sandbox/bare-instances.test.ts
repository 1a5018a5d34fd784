import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StartRefused } from '../runtime.ts';
import { detectHost } from './detect-host.ts';
import { startInstance } from './start-instance.ts';
import { conformToRuntime } from '../conformance.ts';
import { openInstanceBench, type InstanceBench } from './testing/instance-bench.ts';
import { openSandboxSubject } from './testing/sandbox-subject.ts';

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

  it('a plain user cannot start any', async () => {
    const host = { ...(await detectHost({ folder: join(bench.subject.home, 'x'), path: '/nowhere' })), isRoot: false };
    const starting = startInstance(bench.spec('true'), { host } as Parameters<typeof startInstance>[1]);
    await expect(starting).rejects.toThrow(StartRefused);
    await expect(starting).rejects.toThrow(/bubblewrap/);
  });
});
