import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { pathsOf } from '../../config.ts';
import { readInstanceNetwork, writeInstanceNetwork } from '../instance-network-file.ts';
import { createSharedNetworks } from './shared-networks.ts';

const homes: string[] = [];
function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'network-shared-'));
  homes.push(home);
  return home;
}
afterEach(() => homes.splice(0).forEach((home) => rmSync(home, { recursive: true, force: true })));

const open = (home: string) => createSharedNetworks({ config: { home }, reason: 'The platform is not root.' });

describe('where instances share the network of the host', () => {
  it('each has a port of its own, kept over restarts', async () => {
    const home = newHome();
    const networks = open(home);
    const [one, two] = [await networks.lease('one', 8080), await networks.lease('two', 8080)];
    expect(one).toMatchObject({ kind: 'shared', host: '127.0.0.1', enter: [], resolvConf: null });
    expect(one.port).toBeGreaterThanOrEqual(20_000);
    expect(one.port).toBeLessThan(30_000);
    expect(two.port).not.toBe(one.port);
    const restarted = open(home);
    await restarted.sweep([one, two]);
    expect(await restarted.lease('one', 8080)).toEqual(one);
    expect([one.port, two.port]).not.toContain((await restarted.lease('three', 8080)).port);
  });

  it('a port on which somebody listens is passed over', async () => {
    const home = newHome();
    const first = await open(home).lease('one', 8080);
    const taken = first.port + 1;
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(taken, '127.0.0.1', resolve));
    try {
      expect((await open(home).lease('two', 8080)).port).toBe(taken + 1);
    } finally {
      server.close();
    }
  });

  it('ports that no instance holds are taken back', async () => {
    const home = newHome();
    const networks = open(home);
    const [kept, lost] = [await networks.lease('kept', 8080), await networks.lease('lost', 8080)];
    const restarted = open(home);
    await restarted.sweep([kept]);
    expect((await restarted.lease('new', 8080)).port).toBe(lost.port);
    await restarted.release(kept);
    expect((await open(home).lease('newer', 8080)).port).toBe(kept.port);
  });

  it('tells other processes that it is so, and writes only what is new', async () => {
    const config = { home: newHome() };
    writeInstanceNetwork(config, { range: '10.213.36.0/22', hostAddress: '10.213.36.1' });
    const networks = open(config.home);
    await networks.setDoors([]);
    expect(readInstanceNetwork(config)).toEqual({ range: null, hostAddress: '127.0.0.1' });
    const { ino } = statSync(pathsOf(config).instanceNetwork);
    await networks.network();
    expect(statSync(pathsOf(config).instanceNetwork).ino).toBe(ino);
  });

  it('says what that means and what to do, and leaves no trace by it', async () => {
    const home = newHome();
    expect(await open(home).lacking()).toEqual([expect.stringMatching(/not root.*as root.*nftables/s)]);
    expect(existsSync(join(home, 'run'))).toBe(false);
  });
});
