import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { silentLog } from '../../lib/log.ts';
import { withClaims } from './claims.ts';
import type { SwarmEngine, SwarmService } from './engine.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { stopTask, type StopDeps } from './stop-task.ts';
import type { SeenInstance } from './swarm-view.ts';
import type { SwarmWorld } from './swarm-world.ts';

const claim = { taskId: 't1', instanceId: 'ins_1', host: '10.0.0.1', port: 1, controlPort: 2, startedAt: new Date(0) };
const service: SwarmService = {
  ID: 'service',
  Version: { Index: 1 },
  Spec: { Name: 'lilac-1', Labels: withClaims({}, [claim]), Mode: { Replicated: { Replicas: 1 } } },
};
const seen: SeenInstance = { claim, service, task: null, isLive: false };

/** A service whose one instance is stopped; `losesLead`: while it is looked at, another worker begins to lead. */
function openStop({ losesLead }: { losesLead: boolean }) {
  const removed: string[] = [];
  let isLost = false;
  const engine: Partial<SwarmEngine> = {
    async change(_id, decide) {
      expect(await decide(service)).toBeNull();
      isLost = losesLead;
    },
    async removeService({ ID }) {
      removed.push(ID);
    },
  };
  const leadership = {
    isHeld: () => !isLost,
    // As with another leader: it never resolves, and this process ends.
    certain: () => (isLost ? new Promise<void>(() => {}) : Promise.resolve()),
  };
  const world = { engine, leadership, waiting: new Map(), log: silentLog } as unknown as SwarmWorld;
  const deps = { world, turns: new OneAtATime() } as unknown as StopDeps;
  return { removed, isLost: () => isLost, stopping: stopTask(seen, 0, deps) };
}

it('the last instance of a release takes the service with it', async () => {
  const { removed, stopping } = openStop({ losesLead: false });
  await stopping;
  expect(removed).toEqual(['service']);
});

it('who leads no more removes no service: whoever leads may use it', async () => {
  const { removed, isLost, stopping } = openStop({ losesLead: true });
  void stopping;
  while (!isLost()) await turn();
  await turn();
  expect(removed).toEqual([]);
});
