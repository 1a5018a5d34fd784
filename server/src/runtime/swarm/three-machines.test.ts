import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { blobKey } from '../../artifacts/static-manifest.ts';
import { canRunDocker } from '../../testing/docker/can-run-docker.ts';
import { eventually } from '../../testing/eventually.ts';
import { ask } from '../conformance.ts';
import { StartRefused, type Instance, type InstanceAddress, type InstanceSpec, type Runtime } from '../runtime.ts';
import { openSwarmSubject, type SwarmSubject } from './testing/swarm-subject.ts';

const SERVER = `require('node:http').createServer((_, answer) => answer.end(process.env.ANSWER)).listen(process.env.PORT)`;
/** Tells of every address whether somebody answers there. */
const CALLER = `
const { connect } = require('node:net');
for (const place of process.env.PLACES.split(' ')) {
  const [host, port] = place.split(':');
  connect({ host, port, timeout: 3000 })
    .on('connect', () => { console.log(place, 'open'); process.exitCode = 1; })
    .on('timeout', function () { console.log(place, 'shut'); this.destroy(); })
    .on('error', () => console.log(place, 'shut'));
}
setInterval(() => {}, 1000);`;

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
  const running = async (): Promise<Instance[]> => (await runtime.list()).filter(({ exit }) => exit === null);

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
    const [service] = await subject.swarm.manager.listServices();
    expect(service?.Spec?.Mode?.Replicated?.Replicas).toBe(2);
  });

  it('loses a machine: its instance is listed as ended and told, the others go on, and the next takes its place', async () => {
    const three = await startThree();
    const node = subject.swarm.nodes[2]!;
    const lost = three.find(({ host }) => host === node.address)!;
    const told: string[] = [];
    const stopListening = runtime.onExit(({ instanceId }) => told.push(instanceId));
    const begun = performance.now();
    const since = () => Math.round(performance.now() - begun);
    await node.kill();
    await eventually('its end is told', () => told.includes(lost.id));
    const noticedMs = since();
    expect((await running()).map(({ id }) => id)).not.toContain(lost.id);
    const fourth = specOf();
    await ask(await runtime.start(fourth));
    process.stderr.write(`A lost machine was noticed after ${noticedMs} ms, and replaced after ${since()} ms.\n`);
    await runtime.stop(lost.id, { graceMs: 0 });
    expect(await running()).toHaveLength(3);
    const others = three.filter(({ id }) => id !== lost.id);
    expect(await Promise.all(others.map((each) => ask(each)))).toEqual(['here', 'here']);
    expect(told).toEqual([lost.id]);
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
    const [service] = await subject.swarm.manager.listServices();
    const control = Number(
      Object.values(service?.Spec?.Labels ?? {})
        .find((value) => value.startsWith('ins_'))
        ?.split(' ')[4],
    );
    expect(await statusOf({ host: address.host, port: control })).toBe(401);
    const places = [
      `${address.host}:${address.port}`,
      `${address.host}:${control}`,
      ...subject.swarm.nodes.map((node) => `${node.address}:2377`),
      '127.0.0.1:47990',
      '10.92.0.1:2377',
    ];
    const other = { organisationId: 'org_2', environmentId: 'env_2', deploymentId: 'dep_2' };
    const caller = specOf({ ...other, command: 'node caller.js', env: { PLACES: places.join(' ') } });
    await runtime.start(caller);
    await eventually('it has tried all', async () => (await runtime.tail(caller.id, 50)).length === places.length);
    expect((await runtime.tail(caller.id, 50)).toSorted()).toEqual(places.map((place) => `${place} shut`).toSorted());
  });

  it('runs nothing of a slug that is not what was built, and says so', async () => {
    const other = await subject.pack({ 'server.js': 'throw new Error()' });
    const bytes = Buffer.concat((await subject.objects.read(blobKey(other.slug.hash)).toArray()) as Buffer[]);
    const hash = 'f'.repeat(64);
    await subject.objects.put(blobKey(hash), bytes);
    const exchanged = specOf({ slug: { artifactId: 'art_x', hash } });
    await expect(runtime.start(exchanged)).rejects.toThrow(StartRefused);
    expect(await runtime.list()).toEqual([]);
    await expect(runtime.start(specOf({ slug: { artifactId: 'art_y', hash: 'e'.repeat(64) } }))).rejects.toThrow(
      /gone/,
    );
  });
});

function statusOf({ host, port }: InstanceAddress): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ host, port, path: '/', agent: false }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });
}
