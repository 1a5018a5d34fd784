import { describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { conformToRuntime } from '../conformance.ts';
import { createHostTools } from '../network/host-tools.ts';
import { openInstanceNetworks, removeInstanceNetworks } from '../network/open-instance-networks.ts';
import { probeNetworks } from '../network/probe-networks.ts';
import { openInstanceBench } from './testing/instance-bench.ts';
import { openSandboxSubject } from './testing/sandbox-subject.ts';

const canHaveOwn = !('reason' in (await probeNetworks(createHostTools())));

describe.runIf(canHaveOwn)('the sandbox runtime, where each instance has a network of its own', () => {
  conformToRuntime(async () => {
    const subject = await openSandboxSubject({ openNetworks: openInstanceNetworks });
    return {
      ...subject,
      async [Symbol.asyncDispose]() {
        await removeInstanceNetworks(subject.deps);
        await subject[Symbol.asyncDispose]();
      },
    };
  });

  it('gives every instance the port it wants, and finds names', async () => {
    const bench = await openInstanceBench({ openNetworks: openInstanceNetworks });
    try {
      const listen = `node -e 'require("node:net").createServer().listen(process.env.PORT, () => console.log("up"))'`;
      const ids = [await bench.start(listen), await bench.start(listen)];
      for (const id of ids) await bench.says(id, 'up');
      const found = await bench.runtime.list();
      expect(found.map(({ port }) => port)).toEqual([4321, 4321]);
      expect(new Set(found.map(({ host }) => host)).size).toBe(2);
      const id = await bench.start('test -s /etc/resolv.conf && echo has names; sleep 1000');
      await eventually('it has said it', async () => (await bench.runtime.tail(id, 1))[0] === 'has names');
    } finally {
      await bench[Symbol.asyncDispose]();
      await removeInstanceNetworks(bench.subject.deps);
    }
  });
});
