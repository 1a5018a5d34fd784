import type { InstancesTarget, RouteTarget } from '../../routing/route.ts';
import { isCrashLoop, type CrashRecord } from './crash-record.ts';
import { instancesTarget, listedIn, rotationOf } from './instances-target.ts';
import { isIll, type Member } from './member.ts';
import type { Bounds, Subject } from './subject.ts';

interface WantedInput {
  deployment: Pick<Subject['deployment'], 'id' | 'run'>;
  bounds: Bounds;
  /** The instances of the deployment. */
  members: readonly Member[];
  /** Instances that were lost with their machine. */
  lost: readonly string[];
  /** What edges were told last. */
  published: RouteTarget | null;
  crashes: CrashRecord;
  /** How many instances there should be. */
  desired: number;
}

/** What edges are to be told of what is live: who takes requests, or that nobody does and why. */
export function wantedTarget(input: WantedInput): InstancesTarget {
  const { deployment, bounds, members, lost, published } = input;
  const target = instancesTarget(deployment, bounds, rotationOf(members, listedIn(published)), lost);
  return isOut(input) ? { ...target, instances: [], outage: 'crashing' } : target;
}

/** All that is started crashes, and nobody answers meanwhile. Who sleeps is not out: nothing was to run. */
function isOut({ members, crashes, desired }: WantedInput): boolean {
  const isServed = members.some(({ condition, isDeaf }) => condition === 'up' || (isIll(condition) && !isDeaf));
  return isCrashLoop(crashes) && desired > 0 && !isServed;
}
