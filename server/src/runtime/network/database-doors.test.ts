import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pathsOf } from '../../config.ts';
import { start } from '../../lib/exec.ts';
import { readInstanceNetwork } from '../instance-network-file.ts';
import type { DatabaseDoor } from '../runtime.ts';
import { firewallDoors } from './doors.ts';
import { leasedGuests } from './slot-records.ts';
import { createIptables } from './firewall/iptables.ts';
import { createNftables } from './firewall/nftables.ts';
import { createHostTools, type HostTools } from './host-tools.ts';
import type { SlotRecord } from './slot-records.ts';
import { findFirewalls, openTestMachine, type TestMachine } from './testing/test-machine.ts';

const works = await findFirewalls();

const PORT = 8080;
const OURS: DatabaseDoor = { port: 5432, organisationId: 'org_a', isPrivate: true };
const THEIRS: DatabaseDoor = { port: 5433, organisationId: 'org_b', isPrivate: false };
const EVERYBODYS: DatabaseDoor = { port: 5434, organisationId: null, isPrivate: false };

async function serveDatabases(machine: TestMachine): Promise<void> {
  for (const { port } of [OURS, THEIRS, EVERYBODYS]) {
    await machine.serve(machine.enter, { port, answer: `database ${port}` });
  }
}

describe.runIf(works.length > 0).each(works)('doors to databases, with %s', (firewall) => {
  it('are open to the organisation’s own instances, or to all', async () => {
    await using machine = await openTestMachine(firewall);
    const networks = machine.install(machine.home());
    await serveDatabases(machine);
    const before = await networks.lease('a1', PORT, 'org_a');
    await networks.setDoors([OURS, THEIRS, EVERYBODYS]);
    const { hostAddress } = await networks.network();
    const [ours, theirs, nobodys] = [
      await networks.lease('a2', PORT, 'org_a'),
      await networks.lease('b1', PORT, 'org_b'),
      await networks.lease('c1', PORT),
    ];
    const reached = async (enter: readonly string[]) =>
      Promise.all([OURS, THEIRS, EVERYBODYS].map(({ port }) => machine.call(enter, hostAddress, port)));
    for (const { enter } of [before, ours]) {
      expect(await reached(enter)).toEqual(['database 5432', 'ECONNREFUSED', 'database 5434']);
    }
    expect(await reached(theirs.enter)).toEqual(['ECONNREFUSED', 'database 5433', 'database 5434']);
    expect(await reached(nobodys.enter)).toEqual(['ECONNREFUSED', 'ECONNREFUSED', 'database 5434']);
    await networks.setDoors([{ ...OURS, organisationId: 'org_b' }]);
    expect(await reached(ours.enter)).toEqual(['ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED']);
    expect(await reached(theirs.enter)).toEqual(['database 5432', 'ECONNREFUSED', 'ECONNREFUSED']);
  });

  it('are shut to other machines and to builds where they are private', async () => {
    await using machine = await openTestMachine(firewall);
    const internet = await machine.connect({ name: 'net', network: '203.0.113', isDefault: true });
    const networks = machine.install(machine.home());
    await serveDatabases(machine);
    await networks.setDoors([OURS, THEIRS, EVERYBODYS]);
    expect(await machine.call(internet.enter, '203.0.113.1', 5432)).toBe('timeout');
    expect(await machine.call(internet.enter, '203.0.113.1', 5433)).toBe('database 5433');
    const asBuild = [...machine.enter, 'setpriv', '--reuid', '30001', '--regid', '30001', '--clear-groups', '--'];
    const { hostAddress } = await networks.network();
    for (const address of ['127.0.0.1', '203.0.113.1', hostAddress]) {
      expect(await machine.call(asBuild, address, 5432)).toBe('ECONNREFUSED');
      expect(await machine.call(machine.enter, address, 5432)).toBe('database 5432');
    }
    expect(await machine.call(asBuild, '127.0.0.1', 5433)).toBe('database 5433');
    await machine.serve(internet.enter, { port: 5432, answer: 'elsewhere' });
    expect(await machine.call(asBuild, '203.0.113.2', 5432)).toBe('elsewhere');
  });

  it('cut off who may come no more in the middle of a conversation', async () => {
    await using machine = await openTestMachine(firewall);
    const networks = machine.install(machine.home());
    await networks.setDoors([OURS]);
    const { hostAddress } = await networks.network();
    const lease = await networks.lease('a1', PORT, 'org_a');
    await using talk = await converse(machine, { enter: lease.enter, host: hostAddress, port: 5432 });
    expect(await talk.say()).toBe('heard');
    await networks.setDoors([{ ...OURS, organisationId: 'org_b' }]);
    expect(await talk.say()).toBe('ended');
  });

  it('go with the instance: who has its address next does not come in', async () => {
    await using machine = await openTestMachine(firewall);
    const networks = machine.install(machine.home(), { readyCount: 0, restMs: 0 });
    await serveDatabases(machine);
    await networks.setDoors([OURS]);
    const { hostAddress } = await networks.network();
    const first = await networks.lease('a1', PORT, 'org_a');
    expect(await machine.call(first.enter, hostAddress, 5432)).toBe('database 5432');
    await networks.release(first);
    expect(await machine.call(first.enter, hostAddress, 5432)).toBe('ECONNREFUSED');
    const next = await networks.lease('b1', PORT, 'org_b');
    expect(next.host).toBe(first.host);
    expect(await machine.call(next.enter, hostAddress, 5432)).toBe('ECONNREFUSED');
  });

  it('are there for the next process before it is told of them, and for the instances that it finds', async () => {
    await using machine = await openTestMachine(firewall);
    const home = machine.home();
    await serveDatabases(machine);
    const before = machine.install(home);
    await before.setDoors([OURS]);
    const lease = await before.lease('a1', PORT, 'org_a');
    await flushRules(machine);
    const after = machine.install(home);
    await after.sweep([lease]);
    const { hostAddress } = await after.network();
    const later = await after.lease('a2', PORT, 'org_a');
    for (const { enter } of [lease, later]) {
      expect(await machine.call(enter, hostAddress, 5432)).toBe('database 5432');
    }
    expect(await machine.call((await after.lease('b1', PORT, 'org_b')).enter, hostAddress, 5432)).toBe('ECONNREFUSED');
  });

  it('are put right with the next instance when others have flushed the firewall', async () => {
    await using machine = await openTestMachine(firewall);
    const networks = machine.install(machine.home());
    await serveDatabases(machine);
    await networks.setDoors([OURS]);
    const { hostAddress } = await networks.network();
    await flushRules(machine);
    const ours = await networks.lease('a1', PORT, 'org_a');
    const theirs = await networks.lease('b1', PORT, 'org_b');
    expect(await machine.call(ours.enter, hostAddress, 5432)).toBe('database 5432');
    expect(await machine.call(theirs.enter, hostAddress, 5432)).toBe('ECONNREFUSED');
  });

  it('cost an instance one call, and nothing where its organisation has no database', async () => {
    await using machine = await openTestMachine(firewall);
    const started: string[] = [];
    const makers = { nftables: createNftables, iptables: createIptables };
    const counting: HostTools = {
      ...machine.tools,
      run(argv, input) {
        started.push(argv[0]);
        return machine.tools.run(argv, input);
      },
    };
    const networks = machine.install(machine.home(), { firewalls: [makers[firewall](counting)] });
    await networks.setDoors([OURS]);
    await networks.lease('b0', PORT, 'org_b');
    await networks.settled();
    const before = started.length;
    expect(before).toBeGreaterThan(0);
    await networks.lease('b1', PORT, 'org_b');
    expect(started).toHaveLength(before);
    const lease = await networks.lease('a1', PORT, 'org_a');
    expect(started).toHaveLength(before + 1);
    await networks.release(lease);
    expect(started).toHaveLength(before + 2);
  });

  it.runIf(works.includes('nftables'))('count where the kernel has led to, once a port leads elsewhere', async () => {
    await using machine = await openTestMachine(firewall);
    const internet = await machine.connect({ name: 'net', network: '203.0.113', isDefault: true });
    const networks = machine.install(machine.home());
    await serveDatabases(machine);
    await machine.serve(machine.enter, { port: 6432, answer: 'the new primary' });
    const lead = 'fib daddr type local tcp dport 5432 redirect to :6432';
    const chain = `chain lead {\ntype nat hook prerouting priority -105;\n${lead}\n}\n`;
    await machine.tools.run(['nft', '-f', '-'], `table inet leads {\n${chain}}\n`);
    await networks.setDoors([OURS, { ...OURS, port: 6432 }]);
    const { hostAddress } = await networks.network();
    const [ours, theirs] = [await networks.lease('a1', PORT, 'org_a'), await networks.lease('b1', PORT, 'org_b')];
    expect(await machine.call(ours.enter, hostAddress, 5432)).toBe('the new primary');
    expect(await machine.call(theirs.enter, hostAddress, 5432)).toBe('ECONNREFUSED');
    expect(await machine.call(internet.enter, '203.0.113.1', 5432)).toBe('timeout');
  });

  it('write down where instances stand', async () => {
    await using machine = await openTestMachine(firewall);
    const home = machine.home();
    const network = await machine.install(home).network();
    expect(network.range).toMatch(/^10\.213\.\d+\.0\/22$/);
    expect(network.hostAddress).toBe(network.range!.replace(/0\/22$/, '1'));
    expect(readInstanceNetwork({ home })).toEqual(network);
    expect(readFileSync(pathsOf({ home }).instanceNetwork, 'utf8')).toBe(JSON.stringify(network));
  });
});

describe('what doors mean to the firewall', () => {
  const range = { start: '10.213.36' };

  it('is a pair for each port and each address of the organisation', () => {
    const records = new Map<number, SlotRecord>([
      [1, leased('org_a')],
      [2, leased('org_b')],
      [3, leased(null)],
      [4, { ...leased('org_a'), use: 'resting' }],
    ]);
    const doors = [OURS, { ...OURS, port: 6432 }, EVERYBODYS];
    expect(firewallDoors(doors, leasedGuests(range, records))).toEqual({
      openPorts: [5434],
      guardedPorts: [5432, 6432],
      privatePorts: [5432, 6432],
      pairs: [
        { address: '10.213.36.2', port: 5432 },
        { address: '10.213.36.2', port: 6432 },
      ],
    });
  });
});

const leased = (organisationId: string | null) =>
  ({ use: 'leased', instanceId: 'ins_1', organisationId, owner: null }) as const;

/** Everything that anybody has in the firewall. */
async function flushRules({ tools, enter }: TestMachine): Promise<void> {
  if (works.includes('nftables')) return void (await tools.run(['nft', 'flush', 'ruleset']));
  for (const table of ['filter', 'nat']) {
    await createHostTools(enter).run(['iptables', '-t', table, '-F']);
    await createHostTools(enter).run(['iptables', '-t', table, '-X']);
  }
}

const ECHO = `
require('node:net').createServer((socket) => {
  socket.on('error', () => {}).on('data', () => socket.write('heard'));
}).listen(Number(process.argv[1]), () => console.log('listening'));`;

const TALKER = `
const socket = require('node:net').connect({ host: process.argv[1], port: Number(process.argv[2]) });
process.stdin.on('data', () => socket.write('hello'));
socket.on('data', () => process.stdout.write('heard')).on('connect', () => process.stdout.write('connected'));
socket.on('error', () => {}).on('close', () => { process.stdout.write('ended'); process.exit(); });`;

const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };

const argvOf = (within: readonly string[], program: string, ...words: string[]) =>
  [...within, process.execPath, '-e', program, ...words] as unknown as [string, ...string[]];

/** A connection that is held open: what comes of saying something on it. */
async function converse(
  machine: TestMachine,
  { enter, host, port }: { enter: readonly string[]; host: string; port: number },
): Promise<AsyncDisposable & { say(): Promise<string> }> {
  const server = start(argvOf(machine.enter, ECHO, String(port)), { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(server.stdout!, 'data');
  const talker = start(argvOf(enter, TALKER, host, String(port)), { env, stdio: ['pipe', 'pipe', 'inherit'] });
  await once(talker.stdout!, 'data');
  return {
    async say() {
      const answer = once(talker.stdout!, 'data');
      talker.stdin!.write('go');
      return String((await answer)[0]);
    },
    async [Symbol.asyncDispose]() {
      for (const child of [server, talker]) child.kill('SIGKILL');
    },
  };
}
