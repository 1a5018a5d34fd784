import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { blobKey } from '../artifacts/static-manifest.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { conformDoors } from './conformance-doors.ts';
import { conformEnds } from './conformance-ends.ts';
import { conformOutputs } from './conformance-outputs.ts';
import {
  StartRefused,
  type InstanceAddress,
  type InstanceExit,
  type InstanceSpec,
  type Runtime,
  type Usage,
} from './runtime.ts';

/** A runtime that is tested, and what its tests need to know about the host it runs on. */
export interface RuntimeSubject extends AsyncDisposable {
  /** Not opened yet. A second one over the same host is what the next process of the platform would have. */
  create(): Runtime;
  /** Packs a tree with these files, and tells how to run it with a Node. */
  pack(files: Readonly<Record<string, string>>): Promise<Pick<InstanceSpec, 'slug' | 'tools'>>;
  /** Where slugs lie. */
  objects: ObjectStore;
  /** Names of processes, mounts, groups, networks and files that an instance still has; none when all is gone. */
  remains(instanceId: string): Promise<string[]>;
}

/** What the tests of a runtime share: a runtime that is open, and short ways to start something in it. */
export interface RuntimeBench {
  readonly runtime: Runtime;
  readonly exits: readonly InstanceExit[];
  spec(command: string, changes?: Partial<InstanceSpec>): InstanceSpec;
  start(command: string, changes?: Partial<InstanceSpec>): Promise<InstanceSpec & InstanceAddress>;
  /** The next process of the platform. */
  reopen(): Promise<void>;
  /** What lies where the slug of another tree should. */
  exchangeSlug(): Promise<InstanceSpec['slug']>;
  remains(instanceId: string): Promise<string[]>;
}

const SERVER = `
const { createServer } = require('node:http');
const { env } = require('node:process');
createServer((_request, response) => response.end(env.ANSWER)).listen(env.PORT);
process.on('SIGTERM', () => process.exit(0));
`;

const files = { 'server.js': SERVER, 'sub/folder/file': 'inside\n' };
const PORT = 4321;
let count = 0;

/** What every runtime must do, whatever instances are to it. */
export function conformToRuntime(open: () => Promise<RuntimeSubject>): void {
  let subject: RuntimeSubject;
  let runtime: Runtime;
  let packed: Pick<InstanceSpec, 'slug' | 'tools'>;
  let exits: InstanceExit[] = [];

  const watch = (watched: Runtime) => watched.onExit((exit) => exits.push(exit));
  const bench: RuntimeBench = {
    get runtime() {
      return runtime;
    },
    get exits() {
      return exits;
    },
    spec: (command, changes = {}) => ({
      id: `ins_${process.pid}_${count++}`,
      organisationId: 'org_1',
      environmentId: 'env_1',
      deploymentId: 'dep_1',
      ...packed,
      command,
      workDirectory: '',
      env: {},
      port: PORT,
      memoryMb: 256,
      cpus: 1,
      ...changes,
    }),
    async start(command, changes) {
      const spec = bench.spec(command, changes);
      return { ...spec, ...(await runtime.start(spec)) };
    },
    async reopen() {
      await runtime.close();
      runtime = subject.create();
      await runtime.open();
      watch(runtime);
    },
    async exchangeSlug() {
      const { slug } = await subject.pack({ 'server.js': 'throw new Error()' });
      const bytes = Buffer.concat((await subject.objects.read(blobKey(slug.hash)).toArray()) as Buffer[]);
      const hash = 'f'.repeat(64);
      await subject.objects.put(blobKey(hash), bytes);
      return { artifactId: 'art_exchanged', hash };
    },
    remains: (instanceId) => subject.remains(instanceId),
  };

  beforeAll(async () => {
    subject = await open();
    packed = await subject.pack(files);
    runtime = subject.create();
    await runtime.open();
    watch(runtime);
  });
  beforeEach(() => (exits = []));
  afterEach(async () => {
    for (const { id } of await runtime.list()) await runtime.stop(id, { graceMs: 0 });
  });
  afterAll(async () => {
    await runtime.close();
    await subject[Symbol.asyncDispose]();
  });

  conformStarts(bench);
  conformLooks(bench);
  conformEnds(bench);
  conformOutputs(bench);
  conformDoors(bench);
}

function conformStarts(bench: RuntimeBench): void {
  describe('start', () => {
    it('gives an address at which the program answers, on the port that PORT says', async () => {
      const { host, port } = await bench.start('node server.js', { env: { ANSWER: 'hello' } });
      expect(await ask({ host, port })).toBe('hello');
    });

    it('asked twice for the same id starts one, at the same address', async () => {
      const spec = bench.spec('echo started; sleep 1000');
      const [first, second] = await Promise.all([bench.runtime.start(spec), bench.runtime.start(spec)]);
      expect(second).toEqual(first);
      expect(await bench.runtime.start(spec)).toEqual(first);
      await saysSomething(bench, spec.id);
      expect(await bench.runtime.tail(spec.id, 10)).toEqual(['started']);
      expect((await bench.runtime.list()).filter(({ id }) => id === spec.id)).toHaveLength(1);
    });

    it('runs in the folder of its tree that was named', async () => {
      const { id } = await bench.start('cat file; sleep 1000', { workDirectory: 'sub/folder' });
      await saysSomething(bench, id);
      expect(await bench.runtime.tail(id, 10)).toEqual(['inside']);
    });

    it('gives the variables byte for byte, and PORT, HOME and PATH of its own', async () => {
      const odd = { QUOTES: `a'b"c\`d$e#f\\g $(id) \${HOME}`, LINES: 'one\n\ntwo\r\n', UNICODE: 'ü 🌸', EMPTY: '' };
      const show = `node -e 'console.log(JSON.stringify(require("node:process").env))'; sleep 1000`;
      const { id, port } = await bench.start(show, { env: { ...odd, PORT: '1', HOME: '/nowhere' } });
      await saysSomething(bench, id);
      const seen = JSON.parse((await bench.runtime.tail(id, 1))[0] ?? '') as Record<string, string>;
      expect(seen).toMatchObject({ ...odd, PORT: String(port) });
      expect(seen.HOME).not.toBe('/nowhere');
      expect(seen.PATH).toContain('/bin');
    });

    it('runs nothing of a slug that is not what was built, and says so, however often it is asked', async () => {
      const slug = await bench.exchangeSlug();
      for (let round = 0; round < 2; round++) {
        const spec = bench.spec('node server.js', { slug });
        const starting = bench.runtime.start(spec);
        await expect(starting).rejects.toThrow(/not what was built: they are not run/);
        await expect(starting).rejects.toBeInstanceOf(StartRefused);
        expect(await bench.runtime.list()).toEqual([]);
        expect(await bench.remains(spec.id)).toEqual([]);
      }
    });

    it('says of a slug that is gone what to do', async () => {
      const starting = bench.start('node server.js', { slug: { artifactId: 'art_gone', hash: 'e'.repeat(64) } });
      await expect(starting).rejects.toThrow(/gone\. Deploy it again/);
      await expect(starting).rejects.toBeInstanceOf(StartRefused);
    });

    it('two instances of one tree do not see what the other writes', async () => {
      const first = await bench.start('echo mine > /tmp/file; echo mine > "$HOME/file"; echo up; sleep 1000');
      await saysSomething(bench, first.id);
      const second = await bench.start('ls /tmp "$HOME"; ls | sort | tr "\\n" " "; echo; sleep 1000');
      await saysSomething(bench, second.id);
      expect((await bench.runtime.tail(second.id, 20)).join('\n')).not.toMatch(/\bfile\b/);
    });
  });
}

function conformLooks(bench: RuntimeBench): void {
  describe('list, usage, listeners and tail', () => {
    it('list tells whose it is, where it is, since when, and that it runs', async () => {
      const before = Date.now();
      const started = await bench.start('sleep 1000', { environmentId: 'env_9', deploymentId: 'dep_9' });
      const found = (await bench.runtime.list()).find(({ id }) => id === started.id);
      const { host, port, organisationId } = started;
      const whose = { host, port, organisationId, environmentId: 'env_9', deploymentId: 'dep_9' };
      expect(found).toMatchObject({ ...whose, exit: null });
      expect(found?.startedAt.getTime()).toBeGreaterThanOrEqual(before - 1000);
      expect(found?.startedAt.getTime()).toBeLessThanOrEqual(Date.now() + 1000);
    });

    it('usage counts processor time and memory of what runs, and only of that', async () => {
      const busy = await bench.start(`node -e 'globalThis.kept = Buffer.alloc(50e6, 1); for (;;);'`);
      const idle = await bench.start('sleep 1000');
      const ended = await bench.start('exit 0');
      const usageOf = async (id: string) => (await bench.runtime.usage()).get(id);
      await eventually('it has used a processor', async () => ((await usageOf(busy.id))?.cpuSeconds ?? 0) > 0.5);
      const { memoryBytes } = await saysItsUsage(bench, busy.id);
      expect(memoryBytes).toBeGreaterThan(50e6);
      expect(memoryBytes).toBeLessThan(256 * 1024 ** 2);
      expect((await saysItsUsage(bench, idle.id)).cpuSeconds).toBeLessThan(0.5);
      await hasEnded(bench, ended.id);
      expect(await usageOf(ended.id)).toBeUndefined();
    });

    it('listeners tells the ports it really listens on, and which only it reaches', async () => {
      const listen = `const { createServer } = require('node:net');
        const open = createServer().listen(0, '0.0.0.0', () => {
          const local = createServer().listen(0, '127.0.0.1', () => console.log(open.address().port, local.address().port));
        });`;
      const { id } = await bench.start(`node -e '${listen.replaceAll("'", '"')}'`);
      const ports = async () => (await bench.runtime.listeners(id)).toSorted((a, b) => a.port - b.port);
      await eventually('it listens on both', async () => (await ports()).length === 2);
      await eventually('it says which', async () => (await bench.runtime.tail(id, 1)).length > 0);
      const [open, local] = ((await bench.runtime.tail(id, 1))[0] ?? '').split(' ').map(Number);
      expect(await ports()).toEqual(
        [
          { port: open, isLocal: false },
          { port: local, isLocal: true },
        ].toSorted((a, b) => (a.port ?? 0) - (b.port ?? 0)),
      );
      expect(await bench.runtime.listeners('ins_unknown')).toEqual([]);
    });

    it('tail gives the last lines of both streams', async () => {
      const { id } = await bench.start('seq 1 50; echo trouble >&2; sleep 1000');
      await eventually('both have come', async () => (await bench.runtime.tail(id, 100)).length === 51);
      const lines = await bench.runtime.tail(id, 5);
      expect(lines).toHaveLength(5);
      expect(lines).toContain('trouble');
      expect(lines.filter((line) => line !== 'trouble')).toEqual(['47', '48', '49', '50']);
    });

    it('tail is empty for what is not there', async () => {
      expect(await bench.runtime.tail('ins_unknown', 5)).toEqual([]);
    });
  });
}

/** Waits until the condition holds; fails when it does not in a generous time. */
export async function eventually(what: string, isTrue: () => Promise<boolean> | boolean): Promise<void> {
  try {
    await vi.waitUntil(isTrue, { timeout: 50_000, interval: 10 });
  } catch (error) {
    throw new Error(`Waited in vain until ${what}.`, { cause: error });
  }
}

/** Waits until it has said something. */
export async function saysSomething(bench: RuntimeBench, id: string): Promise<void> {
  await eventually('it says something', async () => (await bench.runtime.tail(id, 1)).length > 0);
}

/** On a busy machine one may be left out for once. */
async function saysItsUsage(bench: RuntimeBench, id: string): Promise<Usage> {
  let usage: Usage | undefined;
  await eventually('it says what it uses', async () => (usage = (await bench.runtime.usage()).get(id)) !== undefined);
  return usage!;
}

export async function hasEnded(bench: RuntimeBench, id: string): Promise<void> {
  await eventually(`${id} has ended`, async () => {
    const found = (await bench.runtime.list()).find((instance) => instance.id === id);
    return found !== undefined && found.exit !== null;
  });
}

/** The body of the answer, as soon as there is one. */
export async function ask(address: InstanceAddress): Promise<string> {
  let answer: string | null = null;
  await eventually(`something answers at ${address.host}:${address.port}`, async () => {
    answer = await tryAsking(address);
    return answer !== null;
  });
  return answer ?? '';
}

function tryAsking({ host, port }: InstanceAddress): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
    socket.on('error', () => resolve(null));
    socket.on('close', () => resolve(answer.split('\r\n\r\n')[1] ?? null));
    socket.write('GET / HTTP/1.0\r\n\r\n');
  });
}
