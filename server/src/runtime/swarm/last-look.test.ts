import { describe, expect, it } from 'vitest';
import { silentLog } from '../../lib/log.ts';
import type { SwarmEngine } from './engine.ts';
import { LastLook } from './last-look.ts';
import { readSwarm } from './swarm-view.ts';
import type { SwarmWorld } from './swarm-world.ts';

const NOTE = `ins_1 ${new Date(0).toISOString()} 127.0.0.1 1 2`;

/** A swarm with one instance, and how often it was asked for everything. */
function openWorld() {
  const asked = { count: 0 };
  const Spec = { Name: 'lilac-1', Labels: { 'lilac.task.task': NOTE }, Mode: { Replicated: { Replicas: 1 } } };
  const engine: Partial<SwarmEngine> = {
    async services() {
      asked.count++;
      return [{ ID: 'service', Version: { Index: 1 }, Spec }];
    },
    nodes: async () => new Map(),
    tasks: async () => [],
  };
  const world = { engine, starting: new Set(), log: silentLog } as unknown as SwarmWorld;
  return { world, asked, last: new LastLook(world) };
}

describe('the last look at the swarm', () => {
  it('answers those who ask often, and the swarm is asked once', async () => {
    const { last, asked } = openWorld();
    for (let round = 0; round < 20; round++) {
      expect((await last.recent()).map(({ claim }) => claim.instanceId)).toEqual(['ins_1']);
    }
    expect(asked.count).toBe(1);
  });

  it('does not bring back what was stopped since it had begun', async () => {
    const { last, world } = openWorld();
    const begunBefore = await readSwarm(world);
    last.forget('ins_1');
    last.note(begunBefore);
    expect(last.get('ins_1')).toBeUndefined();
    await last.look();
    expect(last.get('ins_1')).toBeDefined();
  });
});
