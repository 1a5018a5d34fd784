import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../lib/log.ts';
import { FIRST_UID, UID_COUNT } from '../../sandbox/uids.ts';
import { eventually } from '../../testing/eventually.ts';
import { createIptables } from '../network/firewall/iptables.ts';
import { createNftables } from '../network/firewall/nftables.ts';
import { createHostTools, NetworkFailure, type HostTools } from '../network/host-tools.ts';
import { installationId } from '../network/names.ts';
import { findFirewalls, openTestMachine, PUBLIC_PORT, type TestMachine } from '../network/testing/test-machine.ts';
import { CONTROL_PORT, PROGRAM_PORT } from './init/agreement.ts';
import { firewallRules } from './init/firewall-rules.ts';
import { markBuilds, type MarkBuildsOptions } from './mark-builds.ts';

const makers = { nftables: createNftables, iptables: createIptables };
const works = await findFirewalls();
const HOST = 'one-of-the-hosts';

const MACHINE = '10.0.5.1';
/** Of two tasks: one is on this machine, at the bridge of its engine; the other stands for those of another machine. */
const HERE = '172.17.0.2';
const ELSEWHERE = '10.0.5.2';
/** Where the one that is here is published. */
const PUBLISHED = 32_768;
const LISTENS_AT = 3000;

const ways: readonly (readonly [host: string, port: number])[] = [
  [HERE, PROGRAM_PORT],
  [HERE, LISTENS_AT],
  [HERE, CONTROL_PORT],
  [MACHINE, PUBLISHED],
  [ELSEWHERE, PROGRAM_PORT],
  [ELSEWHERE, CONTROL_PORT],
];

// Tasks hold their own rules with it.
describe.runIf(works.includes('nftables')).each(works)('builds on a machine of a swarm, with %s', (firewall) => {
  it('reach no task past the edge, by whatever address, and machines still do', async () => {
    await using machine = await openTestMachine(firewall);
    await connectTasks(machine);
    const callAll = (enter: readonly string[]) =>
      Promise.all(ways.map(([host, port]) => machine.call(enter, host, port)));
    const answered = ways.map(() => 'inside');
    expect(await callAll(asBuild(machine, FIRST_UID)), 'so it is without').toEqual(answered);
    await mark({ firewalls: [makers[firewall](machine.tools)] });
    for (const uid of [FIRST_UID, FIRST_UID + UID_COUNT - 1]) {
      expect(await callAll(asBuild(machine, uid))).toEqual(ways.map(() => 'timeout'));
    }
    expect(await callAll(machine.enter)).toEqual(answered);
    expect(await callAll(asBuild(machine, FIRST_UID - 1))).toEqual(answered);
  });

  it('reach everything else as before', async () => {
    await using machine = await openTestMachine(firewall);
    const other = await machine.connect({ name: 'cluster', network: '10.0.5', isDefault: true });
    await machine.serve(machine.enter, { port: PUBLIC_PORT, answer: 'the edge' });
    await machine.serve(machine.enter, { port: 40_000, host: '127.0.0.1', answer: 'its own server' });
    await machine.serve(other.enter, { port: 40_000, answer: 'a registry' });
    await mark({ firewalls: [makers[firewall](machine.tools)] });
    const build = asBuild(machine, FIRST_UID);
    expect(await machine.call(build, MACHINE, PUBLIC_PORT)).toBe('the edge');
    expect(await machine.call(build, '127.0.0.1', 40_000)).toBe('its own server');
    expect(await machine.call(build, ELSEWHERE, 40_000)).toBe('a registry');
  });

  it('are refused again soon after somebody has flushed the firewall, and nothing is left when the worker goes', async () => {
    await using machine = await openTestMachine(firewall);
    const rules = () => rulesOf(machine.tools, firewall);
    const before = await rules();
    const marks = await mark({ firewalls: [makers[firewall](machine.tools)], refreshMs: 50 });
    expect(await rules()).toContain(installationId(HOST));
    await flush(machine.tools, firewall);
    await eventually('the rules are back', async () => (await rules()).includes('48'));
    await marks.close();
    expect(await rules()).toBe(before);
  });
});

describe('the rules for builds', () => {
  it('lower what passes further than a program’s packets do, and nothing else', async () => {
    expect(await writtenBy(createNftables)).toContain('meta skuid 30000-59999 ip ttl > 48 ip ttl set 48');
    expect(await writtenBy(createIptables)).toContain(
      '-m owner --uid-owner 30000-59999 -m ttl --ttl-gt 48 -j TTL --ttl-set 48',
    );
  });

  it('are another firewall’s where the first does not work, and what is lacking is told where none does', async () => {
    const broken = createNftables({
      ...createHostTools(),
      run: () => Promise.reject(new NetworkFailure('no such table')),
    });
    const whole = createNftables({ ...createHostTools(), run: async () => '' });
    expect((await mark({ firewalls: [broken, whole] })).lacking()).toEqual([]);
    expect((await mark({ firewalls: [broken] })).lacking()).toEqual([expect.stringContaining('no such table')]);
    expect((await mark({ firewalls: [] })).lacking()).toEqual([expect.stringContaining('past the edge')]);
  });
});

async function mark(options: Pick<MarkBuildsOptions, 'firewalls' | 'refreshMs'>) {
  const marks = await markBuilds({ hostId: HOST, log: silentLog, ...options });
  onTestFinished(() => marks.close());
  return marks;
}

function asBuild({ enter }: TestMachine, uid: number): string[] {
  const id = String(uid);
  return [...enter, 'setpriv', '--reuid', id, '--regid', id, '--clear-groups', '--'];
}

/** With the rules that tasks really have, and the way to their ports that an engine makes. */
async function connectTasks(machine: TestMachine): Promise<void> {
  const here = await machine.connect({ name: 'docker0', network: '172.17.0' });
  const elsewhere = await machine.connect({ name: 'cluster', network: '10.0.5' });
  await createHostTools(here.enter).run(['ip', 'route', 'add', 'default', 'via', '172.17.0.1']);
  for (const { enter } of [here, elsewhere]) {
    const reach = { cluster: ['10.0.5.0/24'], host: MACHINE, doors: [], nameServers: [] };
    const text = firewallRules({ ...reach, port: LISTENS_AT, gateway: '172.17.0.1' });
    await createHostTools(enter).run(['nft', '-f', '-'], text);
    for (const port of [LISTENS_AT, CONTROL_PORT]) await machine.serve(enter, { port, answer: 'inside' });
  }
  const lines = [
    'table ip publish {',
    'chain out {',
    'type nat hook output priority -100;',
    `ip daddr ${MACHINE} tcp dport ${PUBLISHED} dnat to ${HERE}:${PROGRAM_PORT}`,
    '}',
    '}',
  ];
  await machine.tools.run(['nft', '-f', '-'], `${lines.join('\n')}\n`);
}

async function rulesOf(tools: HostTools, firewall: (typeof works)[number]): Promise<string> {
  return tools.run(firewall === 'nftables' ? ['nft', 'list', 'ruleset'] : ['iptables', '-t', 'mangle', '-S']);
}

async function flush(tools: HostTools, firewall: (typeof works)[number]): Promise<void> {
  await tools.run(firewall === 'nftables' ? ['nft', 'flush', 'ruleset'] : ['iptables', '-t', 'mangle', '-F']);
}

/** What the programs of the machine are given to read. */
async function writtenBy(make: (tools: HostTools) => ReturnType<typeof createNftables>): Promise<string> {
  const inputs: string[] = [];
  const run: HostTools['run'] = async (_argv, input = '') => {
    inputs.push(input);
    return '';
  };
  await make({ ...createHostTools(), run }).markBuilds('00000000', 48);
  return inputs.join('');
}
