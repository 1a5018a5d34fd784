import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { StartRefused } from '../runtime.ts';
import { createHostTools } from './host-tools.ts';
import { bridgeName, installationId, namespaceName, vethName } from './names.ts';
import { findFirewalls, namespacesOf, openTestMachine, type FirewallName } from './testing/test-machine.ts';

const works = await findFirewalls();
const first: FirewallName = works[0] ?? 'nftables';

const PORT = 8080;

const recordsOf = (...leases: { slot: number }[]) => leases.map(({ slot }) => `${slot}.json`).toSorted();

describe.runIf(works.length > 0)('the places of instances', () => {
  it('are the same when asked twice, and after a restart', async () => {
    await using machine = await openTestMachine(first);
    const home = machine.home();
    const networks = machine.install(home);
    const lease = await networks.lease('one', PORT);
    expect(await networks.lease('one', PORT)).toEqual(lease);
    const restarted = machine.install(home);
    await restarted.sweep([lease]);
    expect(await restarted.lease('one', PORT)).toEqual(lease);
    expect((await restarted.lease('two', PORT)).host).not.toBe(lease.host);
  });

  it('are used again once they have rested, and not before', async () => {
    await using machine = await openTestMachine(first);
    let now = 0;
    const networks = machine.install(machine.home(), {
      readyCount: 0,
      restMs: 1000,
      clock: { now: () => new Date(now) },
    });
    const one = await networks.lease('one', PORT);
    await networks.release(one);
    const two = await networks.lease('two', PORT);
    expect(two.slot).not.toBe(one.slot);
    now = 2000;
    expect(await networks.lease('three', PORT)).toEqual(one);
  });

  it('rest on when the platform is killed meanwhile, with their networks', async () => {
    await using machine = await openTestMachine(first);
    const home = machine.home();
    let now = 0;
    const limits = { readyCount: 0, restMs: 1000, clock: { now: () => new Date(now) } };
    const before = machine.install(home, limits);
    const one = await before.lease('one', PORT);
    await before.release(one);
    now = 600;
    const after = machine.install(home, limits);
    await after.sweep([]);
    const two = await after.lease('two', PORT);
    expect(two.slot).not.toBe(one.slot);
    now = 1000;
    expect(await after.lease('three', PORT)).toEqual(one);
  });

  it('rest as numbers where their networks are too many to keep, or whose instance was lost with the platform', async () => {
    await using machine = await openTestMachine(first);
    const home = machine.home();
    let now = 0;
    const limits = { readyCount: 0, restingCount: 0, restMs: 1000, clock: { now: () => new Date(now) } };
    const before = machine.install(home, limits);
    const [given, lost] = [await before.lease('given', PORT), await before.lease('lost', PORT)];
    await before.release(given);
    await before.settled();
    expect(namespacesOf(home)).toEqual([namespaceName(installationId(home), lost.slot)]);
    const after = machine.install(home, limits);
    await after.sweep([]);
    expect(namespacesOf(home)).toEqual([]);
    const records = () => readdirSync(join(home, 'run', 'network', 'slots')).toSorted();
    expect(records()).toEqual(recordsOf(given, lost));
    const next = await after.lease('next', PORT);
    expect([given.slot, lost.slot]).not.toContain(next.slot);
    now = 1000;
    const last = await after.lease('last', PORT);
    expect(records()).toEqual(recordsOf(next, last));
  });

  it('are numbered on where the platform was killed, not from the beginning', async () => {
    await using machine = await openTestMachine(first);
    const home = machine.home();
    const limits = { readyCount: 0, restMs: 0, restingCount: 0 };
    const before = machine.install(home, limits);
    const [one, two] = [await before.lease('one', PORT), await before.lease('two', PORT)];
    await before.release(one);
    await before.settled();
    const after = machine.install(home, limits);
    await after.sweep([two]);
    expect((await after.lease('three', PORT)).slot).toBe(two.slot + 1);
  });

  it('wait ready before they are asked for, and those kept are bounded', async () => {
    await using machine = await openTestMachine(first);
    const home = machine.home();
    const networks = machine.install(home, { readyCount: 2, restingCount: 1 });
    const leases = [await networks.lease('one', PORT), await networks.lease('two', PORT)];
    await networks.settled();
    expect(namespacesOf(home)).toHaveLength(4);
    for (const lease of leases) await networks.release(lease);
    await networks.settled();
    expect(namespacesOf(home)).toHaveLength(3);
  });

  it('are made beforehand after the one who was given one has started, or at once where few are left', async () => {
    await using machine = await openTestMachine(first);
    const home = machine.home();
    const networks = machine.install(home, { readyCount: 2, refillAfterMs: 3_600_000 });
    await networks.sweep([]);
    await networks.settled();
    const claimed = () => readdirSync(join(home, 'run', 'network', 'slots'));
    await networks.lease('one', PORT);
    expect(claimed()).toHaveLength(2);
    await networks.lease('two', PORT);
    await eventually('two more are made', () => namespacesOf(home).length === 4);
  });

  it('given back twice are given back once', async () => {
    await using machine = await openTestMachine(first);
    const networks = machine.install(machine.home(), { readyCount: 0, restMs: 0 });
    const one = await networks.lease('one', PORT);
    await networks.release(one);
    await networks.release(one);
    const hosts = [await networks.lease('two', PORT), await networks.lease('three', PORT)].map(({ host }) => host);
    expect(new Set(hosts).size).toBe(2);
  });

  it('that no instance holds are taken back, and held ones go on', async () => {
    await using machine = await openTestMachine(first);
    const home = machine.home();
    const networks = machine.install(home, { readyCount: 0 });
    const [kept, lost] = [await networks.lease('kept', PORT), await networks.lease('lost', PORT)];
    await machine.serve(kept.enter, { port: PORT, answer: 'kept' });
    await machine.serve(lost.enter, { port: PORT, answer: 'lost' });
    const restarted = machine.install(home, { readyCount: 0 });
    await restarted.sweep([kept]);
    expect(namespacesOf(home)).toEqual([namespaceName(installationId(home), kept.slot)]);
    expect(await machine.call(machine.enter, kept.host, PORT)).toBe('kept');
    expect(await machine.call(machine.enter, lost.host, PORT)).not.toBe('lost');
  });

  it('that were half made when the platform was killed are removed, or made again', async () => {
    await using machine = await openTestMachine(first);
    const home = machine.home();
    const id = installationId(home);
    const networks = machine.install(home, { readyCount: 0 });
    const lease = await networks.lease('one', PORT);
    await machine.tools.run(['ip', 'netns', 'add', namespaceName(id, 700)]);
    await machine.tools.run(['ip', 'link', 'add', vethName(id, 701), 'type', 'veth', 'peer', 'name', 'stray']);
    await machine.tools.run(['ip', 'netns', 'add', namespaceName(id, lease.slot + 1)]);
    const next = await networks.lease('two', PORT);
    expect(next.slot).toBe(lease.slot + 1);
    await machine.serve(next.enter, { port: PORT, answer: 'whole' });
    expect(await machine.call(machine.enter, next.host, PORT)).toBe('whole');
    await networks.sweep([lease, next]);
    expect(namespacesOf(home)).toEqual([lease.slot, next.slot].map((slot) => namespaceName(id, slot)).toSorted());
    expect(await machine.tools.run(['ip', 'link'])).not.toContain(vethName(id, 701));
  });

  it('bear a platform that is killed at any moment', async () => {
    await using machine = await openTestMachine(first);
    const home = machine.home();
    for (const untilMs of [30, 60, 120, 250, 500]) await machine.leaseUntilKilled(home, untilMs);
    const networks = machine.install(home, { readyCount: 0 });
    // What the killed one had started may still be at work for a moment.
    await eventually('nothing is left of them', async () => {
      await networks.sweep([]);
      return namespacesOf(home).length === 0;
    });
    const lease = await networks.lease('one', PORT);
    await machine.serve(lease.enter, { port: PORT, answer: 'alive' });
    expect(await machine.call(machine.enter, lease.host, PORT)).toBe('alive');
  });

  it('that were made ready by a platform that was killed are used by the next', async () => {
    await using machine = await openTestMachine(first);
    const home = machine.home();
    const before = machine.install(home, { readyCount: 1 });
    const held = await before.lease('one', PORT);
    await before.settled();
    const [ready] = namespacesOf(home).filter((name) => !held.enter.some((word) => word.endsWith(`/${name}`)));
    const after = machine.install(home, { readyCount: 1 });
    await after.sweep([held]);
    expect((await after.lease('two', PORT)).enter.some((word) => word.endsWith(`/${ready}`))).toBe(true);
    await after.settled();
  });

  it('are forgotten when the machine has restarted, and a lease of that time harms nobody', async () => {
    await using machine = await openTestMachine(first);
    const home = machine.home();
    const before = await machine.install(home, { readyCount: 0 }).lease('one', PORT);
    await restart(machine.enter, home);
    const networks = machine.install(home, { readyCount: 0 });
    await networks.sweep([]);
    const after = await networks.lease('two', PORT);
    expect(after.host).toBe(before.host);
    await machine.serve(after.enter, { port: PORT, answer: 'two' });
    expect(await machine.call(machine.enter, after.host, PORT)).toBe('two');
  });

  it('come to an end with a sentence that tells what to do', async () => {
    await using machine = await openTestMachine(first);
    await machine.tools.run(['ip', 'addr', 'add', '10.213.1.1/16', 'dev', 'lo']);
    const networks = machine.install(machine.home());
    await expect(networks.lease('one', PORT)).rejects.toThrow(StartRefused);
    await expect(networks.lease('one', PORT)).rejects.toThrow(/LILAC_INSTANCE_SUBNET/);
  });
});

describe.runIf(works.length > 0)('two installations on one machine', () => {
  it('have other addresses, and their instances do not reach one another', async () => {
    await using machine = await openTestMachine(first);
    const leases = await Promise.all(
      [machine.home(), machine.home()].map((home) => machine.install(home).lease('one', PORT)),
    );
    const [one, two] = leases as [(typeof leases)[0], (typeof leases)[0]];
    expect(one.host.split('.').slice(0, 3)).not.toEqual(two.host.split('.').slice(0, 3));
    await machine.serve(one.enter, { port: PORT, answer: 'one' });
    await machine.serve(two.enter, { port: PORT, answer: 'two' });
    expect(await machine.call(machine.enter, one.host, PORT)).toBe('one');
    expect(await machine.call(machine.enter, two.host, PORT)).toBe('two');
    expect(await machine.call(one.enter, two.host, PORT)).not.toBe('two');
    expect(await machine.call(two.enter, one.host, PORT)).not.toBe('one');
  });

  it('a range that somebody else uses is left alone', async () => {
    await using machine = await openTestMachine(first);
    const home = machine.home();
    const networks = machine.install(home);
    const wanted = (await networks.lease('one', PORT)).host.split('.').slice(0, 3).join('.');
    await networks.remove();
    await machine.connect({ name: 'vpn', network: wanted });
    expect((await machine.install(home).lease('one', PORT)).host.startsWith(`${wanted}.`)).toBe(false);
  });

  it('what belongs to one whose folder is gone is removed by the next', async () => {
    await using machine = await openTestMachine(first);
    const [gone, next] = [machine.home(), machine.home()];
    await machine.install(gone).lease('one', PORT);
    expect(namespacesOf(gone)).not.toEqual([]);
    rmSync(gone, { recursive: true });
    await machine.install(next).lease('one', PORT);
    expect(namespacesOf(gone)).toEqual([]);
    expect(await machine.tools.run(['ip', 'link'])).not.toContain(bridgeName(installationId(gone)));
  });

  it('nothing appears after one was removed under the feet of its worker', async () => {
    await using machine = await openTestMachine(first);
    const home = machine.home();
    const networks = machine.install(home, { readyCount: 3 });
    await networks.lease('one', PORT);
    await machine.install(home).remove();
    await networks.settled();
    expect(namespacesOf(home)).toEqual([]);
    await expect(networks.lease('two', PORT)).rejects.toThrow(/ENOENT|removed/);
  });

  it('another subnet is taken up once no instance stands on the old one', async () => {
    await using machine = await openTestMachine(first);
    const home = machine.home();
    const lease = await machine.install(home).lease('one', PORT);
    const changed = machine.install(home, { subnet: '10.99.0.0/16' });
    await changed.sweep([lease]);
    expect((await changed.lease('two', PORT)).host).toMatch(/^10\.213\./);
    await changed.sweep([]);
    expect((await machine.install(home, { subnet: '10.99.0.0/16' }).lease('three', PORT)).host).toMatch(/^10\.99\./);
  });
});

/** What a restart leaves of networks: nothing in the kernel, and our files. */
async function restart(enter: readonly string[], home: string): Promise<void> {
  const tools = createHostTools(enter);
  await tools.run(['ip', 'link', 'delete', bridgeName(installationId(home))]);
  for (const name of namespacesOf(home)) await tools.run(['ip', 'netns', 'delete', name]);
}
