import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pathsOf } from '../../config.ts';
import { createHostTools, type HostTools } from './host-tools.ts';
import { bridgeName, installationId } from './names.ts';
import { METADATA_ADDRESSES } from './testing/metadata-addresses.ts';
import {
  findFirewalls,
  namespacesOf,
  openTestMachine,
  PUBLIC_PORT,
  type FirewallName,
} from './testing/test-machine.ts';

const works = await findFirewalls();
const first: FirewallName = works[0] ?? 'nftables';

const PORT = 8080;

describe.runIf(works.length > 0).each(works)('an instance’s own network, with %s', (firewall) => {
  it('is reached from the host, and not from another instance', async () => {
    await using machine = await openTestMachine(firewall);
    const networks = machine.install(machine.home());
    const [one, two] = [await networks.lease('one', PORT), await networks.lease('two', PORT)];
    expect(one.host).not.toBe(two.host);
    await machine.serve(one.enter, { port: PORT, answer: 'one' });
    await machine.serve(two.enter, { port: PORT, answer: 'two' });
    expect(await machine.call(machine.enter, one.host, PORT)).toBe('one');
    expect(await machine.call(machine.enter, two.host, PORT)).toBe('two');
    expect(await machine.call(two.enter, one.host, PORT)).not.toBe('one');
    expect(await machine.call(two.enter, two.host, PORT)).toBe('two');
    expect(await machine.call(two.enter, '127.0.0.1', PORT)).toBe('two');
  });

  it('reaches nothing of the host but the public port', async () => {
    await using machine = await openTestMachine(firewall);
    await machine.connect({ name: 'net', network: '203.0.113', isDefault: true });
    const lease = await machine.install(machine.home()).lease('one', PORT);
    const host = lease.host.replace(/\d+\.\d+$/, '');
    const gateway = await gatewayOf(machine.enter);
    expect(gateway.startsWith(host.slice(0, 6))).toBe(true);
    await machine.serve(machine.enter, { port: 5432, answer: 'the store' });
    await machine.serve(machine.enter, { port: PUBLIC_PORT, answer: 'the edge' });
    for (const address of [gateway, '203.0.113.1']) {
      expect(await machine.call(lease.enter, address, PUBLIC_PORT)).toBe('the edge');
      expect(await machine.call(lease.enter, address, 5432)).toBe('ECONNREFUSED');
    }
    expect(await machine.call(machine.enter, gateway, 5432)).toBe('the store');
  });

  it('reaches the internet as the machine, and is not reached from there', async () => {
    await using machine = await openTestMachine(firewall);
    const internet = await machine.connect({ name: 'net', network: '203.0.113', isDefault: true });
    const lease = await machine.install(machine.home()).lease('one', PORT);
    await machine.serve(internet.enter, { port: 80, answer: 'you are {from}' });
    await machine.serve(lease.enter, { port: PORT, answer: 'inside' });
    expect(await machine.call(lease.enter, '203.0.113.2', 80)).toBe('you are 203.0.113.1');
    await createHostTools(internet.enter).run(['ip', 'route', 'add', '10.213.0.0/16', 'via', '203.0.113.1']);
    expect(await machine.call(internet.enter, lease.host, PORT)).toBe('timeout');
  });

  it('does not reach cloud metadata, nor containers of the host', async () => {
    await using machine = await openTestMachine(firewall);
    const metadata = await machine.connect({ name: 'net', network: '169.254.169' });
    const docker = await machine.connect({ name: 'docker0', network: '172.17.0' });
    const lease = await machine.install(machine.home()).lease('one', PORT);
    await createHostTools(metadata.enter).ipBatch(METADATA_ADDRESSES.map((each) => `addr add ${each}/32 dev lo`));
    await machine.tools.ipBatch(METADATA_ADDRESSES.map((each) => `route add ${each} via 169.254.169.2`));
    await machine.serve(metadata.enter, { port: 80, answer: 'credentials' });
    await machine.serve(docker.enter, { port: 5432, answer: 'a database' });
    const answers = (enter: readonly string[]) =>
      Promise.all(METADATA_ADDRESSES.map((address) => machine.call(enter, address, 80)));
    expect(await answers(machine.enter)).toEqual(METADATA_ADDRESSES.map(() => 'credentials'));
    expect(await answers(lease.enter)).toEqual(METADATA_ADDRESSES.map(() => 'ECONNREFUSED'));
    expect(await machine.call(machine.enter, '172.17.0.2', 5432)).toBe('a database');
    expect(await machine.call(lease.enter, '172.17.0.2', 5432)).toBe('ECONNREFUSED');
  });

  it('does not reach a container by a port of the host, unless it is the public one', async () => {
    await using machine = await openTestMachine(firewall);
    await machine.connect({ name: 'net', network: '203.0.113', isDefault: true });
    const container = await machine.connect({ name: 'inner', network: '172.30.0' });
    await publish(machine.tools, firewall, [15_432, PUBLIC_PORT]);
    const lease = await machine.install(machine.home()).lease('one', PORT);
    await machine.serve(container.enter, { port: 5432, answer: 'in the container' });
    expect(await machine.call(lease.enter, '203.0.113.1', PUBLIC_PORT)).toBe('in the container');
    expect(await machine.call(lease.enter, '203.0.113.1', 15_432)).toBe('ECONNREFUSED');
  });

  it('asks the resolvers of the host, even where one is at the address of the metadata', async () => {
    await using machine = await openTestMachine(firewall);
    const cloud = await machine.connect({ name: 'net', network: '169.254.169' });
    const networks = machine.install(machine.home(), {
      nameServers: () => ({ servers: ['169.254.169.2'], text: null }),
    });
    const lease = await networks.lease('one', PORT);
    await machine.serve(cloud.enter, { port: 53, answer: 'a name' });
    expect(await machine.call(lease.enter, '169.254.169.2', 53)).toBe('a name');
  });

  it('is not called past the edge by builds, which run on the host', async () => {
    await using machine = await openTestMachine(firewall);
    const lease = await machine.install(machine.home()).lease('one', PORT);
    await machine.serve(lease.enter, { port: PORT, answer: 'inside' });
    const asBuild = [...machine.enter, 'setpriv', '--reuid', '30001', '--regid', '30001', '--clear-groups', '--'];
    expect(await machine.call(asBuild, lease.host, PORT)).toBe('ECONNREFUSED');
    expect(await machine.call(machine.enter, lease.host, PORT)).toBe('inside');
  });

  it('leaves nothing behind when the installation goes, and nothing else is touched', async () => {
    await using machine = await openTestMachine(firewall);
    const [home, other] = [machine.home(), machine.home()];
    const before = await rulesOf(machine.enter, firewall);
    const networks = machine.install(home);
    const lease = await networks.lease('one', PORT);
    const otherLease = await machine.install(other).lease('two', PORT);
    await machine.serve(otherLease.enter, { port: PORT, answer: 'two' });
    await networks.remove();
    expect(namespacesOf(home)).toEqual([]);
    expect(await machine.tools.run(['ip', 'link'])).not.toContain(bridgeName(installationId(home)));
    expect(await rulesOf(machine.enter, firewall)).not.toContain(installationId(home));
    expect(await machine.call(machine.enter, otherLease.host, PORT)).toBe('two');
    await machine.install(other).remove();
    expect(await rulesOf(machine.enter, firewall)).toBe(before);
    expect(lease.host).not.toBe(otherLease.host);
  });
});

describe.runIf(works.includes('iptables'))('where Docker or ufw lets nothing be forwarded', () => {
  it('instances reach the internet all the same', async () => {
    await using machine = await openTestMachine('iptables');
    const internet = await machine.connect({ name: 'net', network: '203.0.113', isDefault: true });
    await machine.tools.run(['iptables', '-P', 'FORWARD', 'DROP']);
    await machine.tools.run(['iptables', '-P', 'INPUT', 'DROP']);
    await machine.serve(internet.enter, { port: 80, answer: 'outside' });
    await machine.serve(machine.enter, { port: PUBLIC_PORT, answer: 'the edge' });
    const lease = await machine.install(machine.home()).lease('one', PORT);
    expect(await machine.call(lease.enter, '203.0.113.2', 80)).toBe('outside');
    expect(await machine.call(lease.enter, await gatewayOf(machine.enter), PUBLIC_PORT)).toBe('the edge');
  });
});

describe.runIf(works.includes('nftables'))('where a firewall of nftables lets nothing be forwarded', () => {
  it('what is lacking names it', async () => {
    await using machine = await openTestMachine('nftables');
    const networks = machine.install(machine.home());
    expect(await networks.lacking()).toEqual([]);
    await machine.tools.run(
      ['nft', '-f', '-'],
      'table inet site {\nchain pass {\ntype filter hook forward priority 0; policy drop;\n}\n}\n',
    );
    expect(await networks.lacking()).toEqual([expect.stringContaining('inet site pass')]);
  });
});

describe.runIf(works.length > 0)('what an instance listens on', () => {
  it('is found whatever port it chose, and told from what only itself reaches', async () => {
    await using machine = await openTestMachine(first);
    const networks = machine.install(machine.home());
    const lease = await networks.lease('one', PORT);
    const { pid } = await machine.serve(lease.enter, { port: 4321 });
    await machine.serve(lease.enter, { port: 4322, host: '127.0.0.1' });
    await machine.serve(lease.enter, { port: 4323, host: '::1' });
    await machine.serve(machine.enter, { port: 4324 });
    expect(await networks.listeners(lease, [pid])).toEqual([
      { port: 4321, isLocal: false },
      { port: 4322, isLocal: true },
      { port: 4323, isLocal: true },
    ]);
  });
});

describe.runIf(works.length > 0)('who resolves names', () => {
  it('is told in a file of its own while the host’s would not do', async () => {
    await using machine = await openTestMachine(first);
    let text: string | null = 'nameserver 192.0.2.53\n';
    const home = machine.home();
    const install = () => machine.install(home, { nameServers: () => ({ servers: ['192.0.2.53'], text }) });
    const lease = await install().lease('one', PORT);
    expect(readFileSync(lease.resolvConf ?? '', 'utf8')).toBe(text);
    text = null;
    expect((await install().lease('one', PORT)).resolvConf).toBeNull();
  });

  it('is said to be lacking where nobody can', async () => {
    await using machine = await openTestMachine(first);
    const networks = machine.install(machine.home(), { nameServers: () => ({ servers: [], text: '' }) });
    expect(await networks.lacking()).toEqual([expect.stringContaining('/etc/resolv.conf')]);
  });
});

describe.runIf(works.length > 0)('asking only', () => {
  it('what is lacking changes nothing on the machine', async () => {
    await using machine = await openTestMachine(first);
    const home = machine.home();
    mkdirSync(join(home, 'run'));
    await machine.install(home).lacking();
    expect(readdirSync(pathsOf({ home }).run)).toEqual([]);
    expect(await machine.tools.run(['ip', 'link'])).not.toContain('lilac-');
  });
});

async function gatewayOf(enter: readonly string[]): Promise<string> {
  const links = await createHostTools(enter).ipList<{ ifname: string; addr_info: { local: string }[] }>(['-4', 'addr']);
  return links.find(({ ifname }) => ifname.startsWith('lilac-'))?.addr_info[0]?.local ?? '';
}

/** Without what others have and counters. */
async function rulesOf(enter: readonly string[], firewall: FirewallName): Promise<string> {
  const tools = createHostTools(enter);
  if (firewall === 'nftables') return tools.run(['nft', 'list', 'ruleset']);
  return (await tools.run(['iptables', '-S'])) + (await tools.run(['iptables', '-t', 'nat', '-S']));
}

/** As Docker does: these ports of the host lead to the container at 172.30.0.2. */
async function publish(tools: HostTools, firewall: FirewallName, ports: readonly number[]): Promise<void> {
  const rules = ports.map((port) => `tcp dport ${port} dnat ip to 172.30.0.2:5432`);
  const lines = [
    'table inet publish {',
    'chain in {',
    'type nat hook prerouting priority dstnat;',
    ...rules,
    '}',
    '}',
    '',
  ];
  if (firewall === 'nftables') return void (await tools.run(['nft', '-f', '-'], lines.join('\n')));
  for (const port of ports) {
    const match = ['-p', 'tcp', '--dport', String(port)];
    await tools.run([...PREROUTING, ...match, '-j', 'DNAT', '--to', '172.30.0.2:5432']);
  }
}

const PREROUTING = ['iptables', '-t', 'nat', '-A', 'PREROUTING'] as const;
