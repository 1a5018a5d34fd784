import { expect, it } from 'vitest';
import { soleLeadership } from '../../jobs/leadership.ts';
import { AddressRest } from './address-rest.ts';
import type { SwarmEngine, SwarmService } from './engine.ts';
import { CONTROL_PORT, PROGRAM_PORT } from './init/agreement.ts';
import { OneAtATime } from './one-at-a-time.ts';
import type { SwarmNode, SwarmTask } from './swarm-tasks.ts';
import type { SeenInstance } from './swarm-view.ts';
import type { SwarmWorld } from './swarm-world.ts';
import { takeTask } from './take-task.ts';

const HOST = '10.0.0.1';
const RESTING = 32_768;
const node: SwarmNode = { ID: 'node', Status: { State: 'ready', Addr: HOST } };

const serviceOf = (environmentId: string): SwarmService => ({
  ID: `service_${environmentId}`,
  Version: { Index: 1 },
  Spec: {
    Name: `lilac-${environmentId}`,
    Labels: { 'lilac.environment': environmentId },
    Mode: { Replicated: { Replicas: 1 } },
  },
});

/** One that runs and is nobody's. */
const spare = (ID: string, port: number): SwarmTask => ({
  ID,
  ServiceID: 'service_env_1',
  Slot: port,
  NodeID: node.ID,
  DesiredState: 'running',
  Status: {
    State: 'running',
    PortStatus: {
      Ports: [
        { TargetPort: PROGRAM_PORT, PublishedPort: port },
        { TargetPort: CONTROL_PORT, PublishedPort: port + 1000 },
      ],
    },
  },
});

/** A swarm with these tasks, and one more for every one that it is asked for. Nobody rests but who is seen. */
function openSwarm(...tasks: SwarmTask[]) {
  const service = serviceOf('env_1');
  const engine: Partial<SwarmEngine> = {
    find: async () => service,
    tasks: async () => tasks,
    nodes: async () => new Map([[node.ID, node]]),
    async change(_id, decide) {
      const replicas = (await decide(service))?.replicas ?? 0;
      for (let made = tasks.length; made < replicas; made++) tasks.push(spare('made', 40_000));
      service.Spec.Mode.Replicated.Replicas = Math.max(replicas, service.Spec.Mode.Replicated.Replicas);
    },
  };
  const addresses = new AddressRest();
  const noted = { taken: new Set<string>(), silent: new Set<string>(), waiting: new Map([[service.Spec.Name, 1]]) };
  const world = { engine, addresses, leadership: soleLeadership, ...noted } as unknown as SwarmWorld;
  const tried = new Set<string>();
  return {
    tried,
    take: () => takeTask(service, { world, turns: new OneAtATime(), until: Date.now() + 60_000, tried }),
    /** It has just ended at this port. */
    leave(environmentId: string, port: number) {
      const claim = { host: HOST, port, controlPort: 2, taskId: 't', instanceId: 'ins_1', startedAt: new Date(0) };
      const seen: SeenInstance = { claim, service: serviceOf(environmentId), task: null, isLive: false };
      addresses.see([seen]);
      addresses.see([]);
    },
  };
}

it('of two tasks that wait, the one where an instance of another environment just was is left alone', async () => {
  const swarm = openSwarm(spare('resting', RESTING), spare('elsewhere', 32_769));
  swarm.leave('env_2', RESTING);
  expect(await swarm.take()).toMatchObject({ task: { ID: 'elsewhere' }, place: { host: HOST, port: 32_769 } });
  // Nobody waits for it any more: where there are too few, another is asked for.
  expect([...swarm.tried]).toEqual(['resting']);
});

it('where that is the only one, another is asked for', async () => {
  const swarm = openSwarm(spare('resting', RESTING));
  swarm.leave('env_2', RESTING);
  expect((await swarm.take())?.task.ID).toBe('made');
});

it('an environment may have its own address again at once', async () => {
  const swarm = openSwarm(spare('resting', RESTING), spare('elsewhere', 32_769));
  swarm.leave('env_1', RESTING);
  expect((await swarm.take())?.task.ID).toBe('resting');
});

it('no task is given to two who ask at the same time', async () => {
  const swarm = openSwarm(spare('first', RESTING), spare('second', 32_769));
  const both = await Promise.all([swarm.take(), swarm.take()]);
  expect(new Set(both.map((found) => found?.task.ID))).toEqual(new Set(['first', 'second']));
});
