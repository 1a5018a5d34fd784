import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { run } from '../../lib/exec.ts';
import { silentLog } from '../../lib/log.ts';
import { explainBatch } from './host-tools.ts';
import { bridgeName, installationId } from './names.ts';
import { openInstanceNetworks, removeInstanceNetworks } from './open-instance-networks.ts';
import { findFirewalls, namespacesOf } from './testing/test-machine.ts';

const canOwn = (await findFirewalls()).length > 0;
const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };

it.runIf(canOwn)(
  'on this machine an instance has a network of its own, with a way out, and all of it goes again',
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'network-open-'));
    const deps = { config: readConfig({ LILAC_HOME: home }), log: silentLog };
    try {
      const networks = await openInstanceNetworks(deps);
      const lease = await networks.lease('one', 8080);
      expect(lease).toMatchObject({ kind: 'own', port: 8080 });
      const show = [...lease.enter, 'ip', '-4', 'addr', 'show', 'dev', 'eth0'] as unknown as [string, ...string[]];
      expect((await run(show, { env })).stdout).toContain(`inet ${lease.host}/22`);
      const route = [...lease.enter, 'ip', 'route'] as unknown as [string, ...string[]];
      expect((await run(route, { env })).stdout).toMatch(/^default via 10\.213\./);
      expect(namespacesOf(home)).not.toEqual([]);
    } finally {
      await removeInstanceNetworks(deps);
      rmSync(home, { recursive: true, force: true });
    }
    expect(namespacesOf(home)).toEqual([]);
    expect((await run(['ip', 'link'], { env })).stdout).not.toContain(bridgeName(installationId(home)));
    const probes = existsSync('/run/netns')
      ? readdirSync('/run/netns').filter((name) => name.startsWith('lilac-probe-'))
      : [];
    expect(probes.filter((name) => name.startsWith(`lilac-probe-${process.pid}-`))).toEqual([]);
  },
);

it('a failure in a batch names the command, not its number', () => {
  expect(explainBatch(['netns add a', 'link add b'], 'RTNETLINK answers: File exists\nCommand failed -:2\n')).toBe(
    'ip link add b: RTNETLINK answers: File exists',
  );
});
