import type { RuntimeKind } from '../config/runtime-settings.ts';
import type { DatabaseKeeper } from '../modules/databases/keeper/create-database-keeper.ts';
import type { DoorKeeper } from '../modules/databases/links/keep-doors.ts';
import type { Fleet } from '../modules/instances/fleet.ts';

export interface LedParts {
  fleet: Pick<Fleet, 'start' | 'stop'>;
  databases: DatabaseKeeper;
}

/**
 * Which instances reach which databases is held on the databases' own machine, or, in a swarm, at each of its tasks:
 * there by the worker that keeps the instances, which knows it before it has found the first of them.
 */
export function placeDoors(kind: RuntimeKind, { fleet, databases, doors }: LedParts & { doors: DoorKeeper }): LedParts {
  if (kind === 'swarm') return { fleet: after(doors, fleet), databases };
  return { fleet, databases: after(doors, databases) };
}

type Kept = Pick<DoorKeeper, 'start' | 'stop'>;

const after = (first: Kept, then: Kept): Kept => ({
  async start() {
    await first.start();
    await then.start();
  },
  async stop() {
    await Promise.all([first.stop(), then.stop()]);
  },
});
