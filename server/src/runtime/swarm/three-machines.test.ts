import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { run, start } from '../../lib/exec.ts';
import { canRunDocker } from '../../testing/docker/can-run-docker.ts';
import type { TestNode } from '../../testing/docker/test-node.ts';
import { eventually } from '../../testing/eventually.ts';
import { ask } from '../conformance.ts';
import type { Instance, InstanceAddress, InstanceExit, InstanceSpec, Runtime } from '../runtime.ts';
import { readClaims } from './claims.ts';
import { createControl, tokenOf } from './control-client.ts';
import type { SwarmService } from './engine.ts';
import { SECRET_FILE } from './init/agreement.ts';
import { INIT_FILE } from './pack-init.ts';
import { addressOf, placeOf, type SwarmNode, type SwarmTask } from './swarm-tasks.ts';
import { openSwarmSubject, type SwarmSubject } from './testing/swarm-subject.ts';

const SERVER = `require('node:http').createServer((_, answer) => answer.end(process.env.ANSWER)).listen(process.env.PORT)`;
/** Tells of every address whether somebody answers there, or only takes the connection, as Docker's proxy does. */
const CALLS = `
const { connect } = require('node:net');
for (const place of process.env.PLACES.split(' ')) {
  const [, host, port] = /^(.*):(\\d+)$/.exec(place);
  let found = 'shut';
  connect({ host, port, timeout: 3000 })
    .on('connect', function () { found = 'taken'; this.write('GET / HTTP/1.0\\r\\n\\r\\n'); })
    .on('data', function () { found = 'open'; this.destroy(); })
    .on('timeout', function () { this.destroy(); })
    .on('error', () => {})
    .on('close', () => console.log(place, found));
}`;
const CALLER = `${CALLS}\nsetInterval(() => {}, 1000);`;

/** Tells what it may, where it can write, and which of what is its first process's it can read. */
const LOOKS = `
grep -E '^(Cap(Inh|Prm|Eff|Amb)|NoNewPrivs):' /proc/self/status
for process in /proc/[0-9]*; do
  [ "$(stat -c %u $process)" = 0 ] || continue
  echo another is root
  head -c 1 $process/environ >/dev/null 2>&1 && echo reads its variables
  ls $process/fd >/dev/null 2>&1 && echo sees its files
done
find / /dev -xdev -type d -writable 2>/dev/null | sort | sed 's/^/writes to /'
for file in ${SECRET_FILE} ${INIT_FILE}; do head -c 1 $file >/dev/null 2>&1 && echo reads $file; done
echo that is all`;

/** Begins processes until there is no room for another, and says so. */
const BOMB = `perl -e '$| = 1; while (defined($pid = fork)) { sleep 1000 unless $pid } print "full\\n"; sleep 1000'`;

const doorOf = (organisationId: string, port: number) => ({ port, organisationId, isPrivate: true });

interface NodeVersion {
  Version: { Index: number };
  Spec: object;
}

/** As a public one of a machine, which the swarm does not know. */
const SECOND_ADDRESS = '203.0.113.7';
const DATABASE_PORT = 15_432;
/** What a machine has besides: another's database, and what is nobody's. */
const OTHER_PORTS = [15_433, 9100];

describe.skipIf(!canRunDocker())('a swarm of three machines', () => {
  let subject: SwarmSubject;
  let runtime: Runtime;
  let packed: Pick<InstanceSpec, 'slug' | 'tools'>;
  let count = 0;

  const specOf = (changes: Partial<InstanceSpec> = {}): InstanceSpec => ({
    id: `ins_${count++}`,
    organisationId: 'org_1',
    environmentId: 'env_1',
    deploymentId: 'dep_1',
    ...packed,
    command: 'node server.js',
    workDirectory: '',
    env: { ANSWER: 'here' },
    port: 4321,
    memoryMb: 128,
    cpus: 1,
    ...changes,
  });
  const startThree = async (): Promise<(InstanceAddress & { id: string })[]> => {
    const specs = [specOf(), specOf(), specOf()];
    const started = await Promise.all(specs.map((spec) => runtime.start(spec)));
    await Promise.all(started.map((address) => ask(address)));
    return started.map((address, index) => ({ ...address, id: specs[index]!.id }));
  };
  const controlPorts = async (): Promise<number[]> => {
    const [service] = await subject.swarm.manager.listServices();
    const claims = Object.values(service?.Spec?.Labels ?? {}).filter((value) => value.startsWith('ins_'));
    return claims.map((claim) => Number(claim.split(' ')[4]));
  };
  const running = async (): Promise<Instance[]> => (await runtime.list()).filter(({ exit }) => exit === null);

  const reopen = async () => {
    await runtime.close();
    runtime = subject.create();
    await runtime.open();
  };
  /** The tests have one release, and so one service. */
  const service = async () => (await subject.swarm.manager.listServices())[0] as unknown as SwarmService;
  const replicas = async () => (await service()).Spec.Mode.Replicated.Replicas;
  const noteOf = async (instanceId: string) =>
    readClaims((await service()).Spec.Labels).find((claim) => claim.instanceId === instanceId)?.taskId;
  const runningTasks = async () =>
    ((await subject.swarm.manager.listTasks()) as SwarmTask[]).filter(
      ({ DesiredState, Status }) => DesiredState === 'running' && Status.State === 'running',
    );
  /** As somebody else who leads would change it. */
  const change = async (decide: (spec: SwarmService['Spec']) => void) => {
    const { ID, Version, Spec } = await service();
    decide(Spec);
    await subject.swarm.manager.getService(ID).update({ version: Version.Index, ...Spec });
  };
  const setNote = (taskId: string, note: string | null) =>
    change(({ Labels }) => {
      if (note === null) delete Labels[`lilac.task.${taskId}`];
      else Labels[`lilac.task.${taskId}`] = note;
    });
  /** A task that waits for somebody. */
  const runSpare = async () => {
    const before = new Set((await runningTasks()).map(({ ID }) => ID));
    await change((spec) => void (spec.Mode.Replicated.Replicas += 1));
    let spare: SwarmTask | undefined;
    await eventually(
      'it runs',
      async () => (spare = (await runningTasks()).find(({ ID }) => !before.has(ID))) !== undefined,
    );
    const nodes = new Map(((await subject.swarm.manager.listNodes()) as SwarmNode[]).map((node) => [node.ID, node]));
    return { id: spare!.ID, ...placeOf(spare!, nodes)! };
  };
  const setAvailability = async ({ address }: { address: string }, Availability: string) => {
    const nodes = (await subject.swarm.manager.listNodes()) as (SwarmNode & NodeVersion)[];
    const { ID, Version, Spec } = nodes.find((node) => addressOf(node) === address)!;
    await subject.swarm.manager.getNode(ID).update({ version: Version.Index, ...Spec, Availability } as object);
  };

  beforeAll(async () => {
    subject = await openSwarmSubject({ nodes: 3 });
    packed = await subject.pack({ 'server.js': SERVER, 'caller.js': CALLER });
    runtime = subject.create();
    await runtime.open();
  }, 300_000);
  afterEach(async () => {
    for (const { id } of await runtime.list()) await runtime.stop(id, { graceMs: 0 });
  });
  afterAll(async () => {
    await runtime.close();
    await subject[Symbol.asyncDispose]();
  });

  it('has instances of one release on all of them, and stop ends exactly the one that was asked', async () => {
    const three = await startThree();
    expect(new Set(three.map(({ host }) => host)).size).toBe(3);
    const [first, second, third] = three;
    await runtime.stop(second!.id, { graceMs: 10_000 });
    expect((await running()).map(({ id }) => id).toSorted()).toEqual([first!.id, third!.id].toSorted());
    expect(await ask(first!)).toBe('here');
    expect(await ask(third!)).toBe('here');
    await expect(fetch(`http://${second!.host}:${second!.port}`)).rejects.toThrow('fetch failed');
  });

  it('of two on one machine and one on another, the lone one can be stopped and begun again, and the others go on', async () => {
    await setAvailability(subject.swarm.nodes[2]!, 'pause');
    const three = await startThree();
    const lone = three.find(({ host }) => three.filter((other) => other.host === host).length === 1)!;
    const others = three.filter(({ id }) => id !== lone.id);
    let last = lone.id;
    for (let round = 0; round < 4; round++) {
      await runtime.stop(last, { graceMs: 10_000 });
      const next = specOf();
      last = next.id;
      expect(await ask(await runtime.start(next))).toBe('here');
      expect(await Promise.all(others.map((each) => ask(each)))).toEqual(['here', 'here']);
    }
    expect((await running()).map(({ id }) => id).toSorted()).toEqual([...others.map(({ id }) => id), last].toSorted());
    expect(await replicas()).toBeLessThanOrEqual(7);
    await setAvailability(subject.swarm.nodes[2]!, 'active');
  });

  it('is led on by the next process, wherever the last one was killed in a start', async () => {
    const kept = specOf();
    await ask(await runtime.start(kept));
    const crashed = specOf();
    // Noted, and the task never heard of it.
    const spare = await runSpare();
    await setNote(
      spare.id,
      `${crashed.id} ${new Date().toISOString()} ${spare.host} ${spare.port} ${spare.controlPort}`,
    );
    await reopen();
    await eventually('it is taken back', async () => (await noteOf(crashed.id)) === undefined);
    expect((await running()).map(({ id }) => id)).toEqual([kept.id]);
    await ask(await runtime.start(crashed));
    expect(await noteOf(crashed.id)).toBe(spare.id);
    // Claimed, and noted nowhere: by the next process it is ended, and by a start it is not asked twice.
    await setNote(spare.id, null);
    const next = specOf();
    await ask(await runtime.start(next));
    expect(await noteOf(next.id)).not.toBe(spare.id);
    await setNote((await noteOf(next.id))!, null);
    await reopen();
    expect((await running()).map(({ id }) => id)).toEqual([kept.id]);
    await eventually('what nobody knows has ended', async () => (await runningTasks()).length === 1);
    expect(await ask((await running())[0]!)).toBe('here');
  });

  it('is led on by the next process, where the last one was killed while a task fetched its files', async () => {
    await runtime.close();
    let isKilled = false;
    // What one that was killed waits for never comes.
    const certain = () => (isKilled ? new Promise<void>(() => {}) : Promise.resolve());
    const former = subject.create({ isHeld: () => !isKilled, certain });
    await former.open();
    const spec = specOf();
    const objects = subject.holdObjects();
    const begun = former.start(spec);
    await objects.asked;
    isKilled = true;
    await former.close();
    runtime = subject.create();
    await runtime.open();
    expect((await running()).map(({ id }) => id)).toEqual([spec.id]);
    objects.letGo();
    const address = await runtime.start(spec);
    expect(await ask(address)).toBe('here');
    expect(await begun).toEqual(address);
    expect(await runningTasks()).toHaveLength(1);
    expect(await noteOf(spec.id)).toBe((await runningTasks())[0]!.ID);
  });

  it('loses a machine: its instance is listed as ended and told, the others go on, and the next takes its place', async () => {
    const three = await startThree();
    const node = subject.swarm.nodes[2]!;
    const lost = three.find(({ host }) => host === node.address)!;
    const told: InstanceExit[] = [];
    const stopListening = runtime.onExit((exit) => told.push(exit));
    const begun = performance.now();
    const since = () => Math.round(performance.now() - begun);
    await node.kill();
    await eventually('its end is told', () => told.length > 0);
    const noticedMs = since();
    expect((await running()).map(({ id }) => id)).not.toContain(lost.id);
    const fourth = specOf();
    await ask(await runtime.start(fourth));
    process.stderr.write(`A lost machine was noticed after ${noticedMs} ms, and replaced after ${since()} ms.\n`);
    await runtime.stop(lost.id, { graceMs: 0 });
    expect(await running()).toHaveLength(3);
    const others = three.filter(({ id }) => id !== lost.id);
    expect(await Promise.all(others.map((each) => ask(each)))).toEqual(['here', 'here']);
    const end = { exitCode: null, isOutOfMemory: false, isMachineLost: true };
    expect(told).toEqual([{ instanceId: lost.id, environmentId: 'env_1', ...end }]);
    stopListening();
    await node.revive();
    await eventually('the machine is back', async () => {
      const nodes = (await subject.swarm.manager.listNodes()) as { Status: { State: string } }[];
      return nodes.every(({ Status }) => Status.State === 'ready');
    });
    expect(await running()).toHaveLength(3);
  });

  it('keeps programs from one another, from the machines, and from the control ports, which want a token', async () => {
    const address = await runtime.start(specOf());
    await ask(address);
    const [control = 0] = await controlPorts();
    expect(await statusOf({ host: address.host, port: control })).toBe(401);
    const places = [
      `${address.host}:${address.port}`,
      `${address.host}:${control}`,
      ...subject.swarm.nodes.map((node) => `${node.address}:2377`),
      '127.0.0.1:47990',
      '10.92.0.1:2377',
    ];
    const other = { organisationId: 'org_2', environmentId: 'env_2', deploymentId: 'dep_2' };
    const caller = specOf({ ...other, command: `${LOOKS}\nexec node caller.js`, env: { PLACES: places.join(' ') } });
    await runtime.start(caller);
    const said = async () => {
      const words = await runtime.tail(caller.id, 50);
      const end = words.indexOf('that is all') + 1;
      return { of: words.slice(0, end), tried: end === 0 ? [] : words.slice(end) };
    };
    await eventually('it has tried all', async () => (await said()).tried.length === places.length);
    const { of, tried } = await said();
    expect(tried.toSorted()).toEqual(places.map((place) => `${place} shut`).toSorted());
    // Nothing that its first process may, and nothing of that one's own.
    const none = ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'].map((name) => `${name}:\t${'0'.repeat(16)}`);
    // Its own, memory that it has no more, and a folder of Debian's that is everybody's.
    const writable = ['/dev/mqueue', '/dev/shm', '/home/app', '/home/user', '/run/lock', '/tmp', '/var/tmp'];
    expect([...new Set(of)]).toEqual([
      ...none,
      'NoNewPrivs:\t1',
      'another is root',
      ...writable.map((folder) => `writes to ${folder}`),
      'that is all',
    ]);
  });

  it('no program reaches another organisation’s instance or database, nor what else a machine has, by whatever address of it; edges, the public port and its own databases answer', async () => {
    const { nodes } = subject.swarm;
    const target = await runtime.start(specOf());
    await ask(target);
    const home = nodes.find(({ address }) => address === target.host)!;
    const elsewhere = nodes.find((node) => node !== home)!;
    const [control] = await controlPorts();
    await giveSecondAddress(
      home,
      nodes.filter((node) => node !== home),
    );
    await using _edge = await listenIn(home, subject.publicPort);
    await using _database = await listenIn(elsewhere, DATABASE_PORT);
    await using _atSecond = await listenIn(home, DATABASE_PORT);
    await using _others = await listenInAll(home, OTHER_PORTS);
    const doors = [doorOf('org_2', DATABASE_PORT), doorOf('org_3', OTHER_PORTS[0]!)];
    // As the platform's processes on each machine say it, and nobody has set it.
    const addresses = (await Promise.all(nodes.map((node) => addressesOf(node)))).flat();
    expect(addresses).toContain(SECOND_ADDRESS);
    await runtime.setDoors(doors, elsewhere.address, addresses);
    const instance = [`${target.host}:${target.port}`, `${SECOND_ADDRESS}:${target.port}`];
    const others = [target.host, SECOND_ADDRESS].flatMap((address) => OTHER_PORTS.map((port) => `${address}:${port}`));
    const machinePort = `${elsewhere.address}:${subject.publicPort + 1}`;
    const shut = [...instance, `${SECOND_ADDRESS}:${control}`, machinePort, ...others];
    const open = [`${target.host}:${subject.publicPort}`, `${SECOND_ADDRESS}:${subject.publicPort}`];
    const databases = [elsewhere.address, SECOND_ADDRESS].map((address) => `${address}:${DATABASE_PORT}`);
    // What runs on the machines themselves does, as edges do.
    expect(await callFrom(home, instance.slice(0, 1))).toEqual([`${instance[0]} open`]);
    for (const places of [instance, others.toSorted(), databases.toSorted()])
      expect(await callFrom(elsewhere, places)).toEqual(places.map((each) => `${each} open`));
    // By IPv6 only the proxy of the engine passes anything on, from whomever it comes: it finds nobody.
    expect(await callFrom(home, [`::1:${target.port}`, `::1:${control}`])).not.toContainEqual(
      expect.stringMatching(/open$/),
    );
    const places = [...shut, ...open, ...databases];
    const calls = { command: 'node caller.js', env: { PLACES: places.join(' ') } };
    const other = { organisationId: 'org_2', environmentId: 'env_2', deploymentId: 'dep_2' };
    const callers = Array.from({ length: 3 }, () => specOf({ ...other, ...calls }));
    const placed = await Promise.all(callers.map((caller) => runtime.start(caller)));
    expect(new Set(placed.map(({ host }) => host)).size).toBe(3);
    const neighbour = specOf({ ...calls, environmentId: 'env_3', deploymentId: 'dep_3' });
    await runtime.start(neighbour);
    const said = async ({ id }: InstanceSpec) => {
      await eventually('it has tried all', async () => (await runtime.tail(id, 50)).length === places.length);
      // On the machine itself the proxy takes the connection, and finds nobody to pass it on to.
      const words = await runtime.tail(id, 50);
      return words.map((word) => word.replace(/^(203\..*) taken$/, '$1 shut')).toSorted();
    };
    const expected = (own: string) =>
      [
        ...shut.map((each) => `${each} shut`),
        ...open.map((each) => `${each} open`),
        ...databases.map((each) => `${each} ${own}`),
      ].toSorted();
    for (const caller of callers) expect(await said(caller)).toEqual(expected('open'));
    expect(await said(neighbour)).toEqual(expected('shut'));
  });

  it('has the firewall of a task changed, though its program has begun as many processes as it may', async () => {
    const bomb = specOf({ command: BOMB, memoryMb: 512 });
    await runtime.start(bomb);
    await eventually('there is room for none', async () => (await runtime.tail(bomb.id, 1))[0] === 'full');
    const { Spec } = await service();
    const [claim] = readClaims(Spec.Labels);
    const control = createControl(claim!, tokenOf(subject.controlKey, Spec.Name));
    const edges = { addresses: [], ports: [] };
    await control.setReach({ cluster: [subject.swarm.network.range], edges, host: '10.0.0.1', doors: [1] });
    expect(await control.status()).toMatchObject({ state: 'running' });
  });
});

/** The program of a process that is the machine's own, as an edge is. */
const atNode = (node: TestNode, ...argv: string[]): [string, ...string[]] => [
  'nsenter',
  `--net=/proc/${node.pid()}/ns/net`,
  ...argv,
];

async function inNetworkOf(node: TestNode, argv: string[], more: Record<string, string> = {}): Promise<string> {
  const env = { PATH: process.env.PATH, ...more };
  const { exitCode, stdout, stderr } = await run(atNode(node, ...argv), { env });
  if (exitCode !== 0) throw new Error(`${argv.join(' ')}: ${stderr}`);
  return stdout;
}

async function callFrom(node: TestNode, places: readonly string[]): Promise<string[]> {
  const said = await inNetworkOf(node, [process.execPath, '-e', CALLS], { PLACES: places.join(' ') });
  return said.trim().split('\n').toSorted();
}

async function giveSecondAddress(node: TestNode, others: readonly TestNode[]): Promise<void> {
  await inNetworkOf(node, ['ip', 'address', 'add', `${SECOND_ADDRESS}/32`, 'dev', 'lo']);
  for (const other of others) {
    await inNetworkOf(other, ['ip', 'route', 'add', `${SECOND_ADDRESS}/32`, 'via', node.address]);
  }
}

async function listenIn(node: TestNode, port: number): Promise<AsyncDisposable> {
  const program = `require('node:net').createServer((socket) => socket.end('here')).listen(${port}, () => console.log('up'))`;
  const argv = atNode(node, process.execPath, '-e', program);
  const child = start(argv, { env: { PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout!, 'data');
  return {
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

async function listenInAll(node: TestNode, ports: readonly number[]): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  for (const port of ports) stack.use(await listenIn(node, port));
  return stack.move();
}

/** What a process of the platform would say there. */
async function addressesOf(node: TestNode): Promise<string[]> {
  const file = new URL('../../lib/address-for-others.ts', import.meta.url).href;
  const program = `import(${JSON.stringify(file)}).then((own) => console.log(JSON.stringify(own.outerAddresses())))`;
  return JSON.parse(await inNetworkOf(node, [process.execPath, '-e', program])) as string[];
}

function statusOf({ host, port }: InstanceAddress): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ host, port, path: '/', agent: false }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });
}
