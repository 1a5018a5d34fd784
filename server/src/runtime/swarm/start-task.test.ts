import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { soleLeadership } from '../../jobs/leadership.ts';
import { StartRefused, type InstanceSpec } from '../runtime.ts';
import type { SwarmEngine } from './engine.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { serviceName } from './service-spec.ts';
import { startTask } from './start-task.ts';
import type { SwarmWorld } from './swarm-world.ts';

const spec: InstanceSpec = {
  id: 'ins_1',
  organisationId: 'org_1',
  environmentId: 'env_1',
  deploymentId: 'dep_1',
  slug: { artifactId: 'art_1', hash: 'abc' },
  command: 'node server.js',
  workDirectory: '',
  env: {},
  port: 3000,
  tools: {},
  memoryMb: 256,
  cpus: 0.5,
};

it('variables that fit into no secret, however they are packed, are refused in a sentence before the swarm is asked', async () => {
  const { engine, asked } = fakeEngine();
  // Signs that nobody types, and of which JSON makes six bytes each.
  const text = Array.from({ length: 512 * 1024 }, () => String.fromCodePoint(randomInt(1, 128))).join('');
  const starting = start({ ...spec, env: { TEXT: text } }, engine);
  await expect(starting).rejects.toThrow(/too large for a swarm/);
  await expect(starting).rejects.toBeInstanceOf(StartRefused);
  expect(asked).toEqual([]);
});

it('a start for which no service can be made leaves no secret with the variables behind', async () => {
  const { engine, asked, secrets } = fakeEngine();
  await expect(start(spec, engine)).rejects.toThrow('The image is not on this machine.');
  expect(asked).toEqual(['config', 'secret', 'service']);
  expect([...secrets]).toEqual([]);
});

it('the secret stays while another start waits for the same service, and goes with the last of them', async () => {
  const { engine, secrets } = fakeEngine();
  const world = worldWith(engine);
  const name = serviceName(spec, world.init.name, world.controlKey);
  world.waiting.set(name, 1);
  await expect(startTask(spec, { world, turns: new OneAtATime() })).rejects.toThrow('The image');
  expect([...secrets]).toEqual([name]);
  world.waiting.delete(name);
  await expect(startTask(spec, { world, turns: new OneAtATime() })).rejects.toThrow('The image');
  expect([...secrets]).toEqual([]);
});

it('no secret is made where the swarm does not take the first process', async () => {
  const { engine, asked } = fakeEngine();
  engine.config = () => Promise.reject(new Error('The swarm is away.'));
  await expect(start(spec, engine)).rejects.toThrow('The swarm is away.');
  expect(asked).toEqual([]);
});

/** A swarm that takes secrets, and whose manager has not got the image. */
function fakeEngine() {
  const asked: string[] = [];
  const secrets = new Set<string>();
  const engine = {
    find: () => Promise.resolve(null),
    config: (name: string) => Promise.resolve({ id: asked.push('config'), name }),
    secret(name: string) {
      secrets.add(name);
      return Promise.resolve({ id: asked.push('secret'), name });
    },
    createService() {
      asked.push('service');
      return Promise.reject(new Error('The image is not on this machine.'));
    },
    removeSecret: (name: string) => Promise.resolve(secrets.delete(name)),
  };
  return { engine: engine as unknown as SwarmEngine, asked, secrets };
}

function start(what: InstanceSpec, engine: SwarmEngine) {
  return startTask(what, { world: worldWith(engine), turns: new OneAtATime() });
}

function worldWith(engine: SwarmEngine): SwarmWorld {
  return {
    engine,
    tools: async () => ({ mounts: [], searchPath: [], env: {}, node: null }),
    init: { name: 'init', data: Buffer.alloc(0) },
    controlKey: Buffer.alloc(32),
    leadership: soleLeadership,
    waiting: new Map<string, number>(),
    starting: new Set<string>(),
  } as unknown as SwarmWorld;
}
