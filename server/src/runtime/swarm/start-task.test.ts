import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { soleLeadership } from '../../jobs/leadership.ts';
import { StartRefused, type InstanceSpec } from '../runtime.ts';
import type { SwarmEngine } from './engine.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { startTask } from './start-task.ts';
import type { SwarmWorld } from './swarm-world.ts';

it('variables that fit into no secret, however they are packed, are refused in a sentence before the swarm is asked', async () => {
  const asked: string[] = [];
  const engine = {
    find: async () => null,
    secret: async () => asked.push('secret'),
    config: async () => asked.push('config'),
  };
  const world = {
    engine: engine as unknown as SwarmEngine,
    tools: async () => ({ mounts: [], searchPath: [], env: {}, node: null }),
    init: { name: 'init', data: Buffer.alloc(0) },
    controlKey: Buffer.alloc(32),
    leadership: soleLeadership,
    waiting: new Map<string, number>(),
    starting: new Set<string>(),
  } as unknown as SwarmWorld;
  // Signs that nobody types, and of which JSON makes six bytes each.
  const text = Array.from({ length: 512 * 1024 }, () => String.fromCodePoint(randomInt(1, 128))).join('');
  const spec: InstanceSpec = {
    id: 'ins_1',
    organisationId: 'org_1',
    environmentId: 'env_1',
    deploymentId: 'dep_1',
    slug: { artifactId: 'art_1', hash: 'abc' },
    command: 'node server.js',
    workDirectory: '',
    env: { TEXT: text },
    port: 3000,
    tools: {},
    memoryMb: 256,
    cpus: 0.5,
  };
  const starting = startTask(spec, { world, turns: new OneAtATime() });
  await expect(starting).rejects.toThrow(/too large for a swarm/);
  await expect(starting).rejects.toBeInstanceOf(StartRefused);
  expect(asked).toEqual([]);
});
