import type { RunSpec } from '../../db/run-spec.ts';
import type { InstanceAddress, InstancesTarget, RouteTarget } from '../../routing/route.ts';
import { isWell, type Member } from './member.ts';
import type { Bounds } from './subject.ts';

/** What edges are told of a deployment's instances; nothing is being checked. */
export function instancesTarget(
  { id, run: { concurrency } }: { id: string; run: Pick<RunSpec, 'concurrency'> },
  { max }: Pick<Bounds, 'max'>,
  instances: readonly InstanceAddress[],
  lost: readonly string[] = [],
): InstancesTarget {
  const target: InstancesTarget = {
    kind: 'instances',
    deploymentId: id,
    instances,
    concurrency,
    maxInstances: max,
    outage: null,
    probe: null,
  };
  return lost.length === 0 ? target : { ...target, lost };
}

/**
 * Those that take requests: who listens, and, where nobody does, who is about to, so that edges reach it
 * in its first moment. Who was listed before it listens stays. Who is not well takes requests only while
 * nobody is: half of the answers are better than none. Who does not answer takes them only while there is
 * nobody else: it may be merely slow, and edges find out at once when it listens again.
 */
export function rotationOf(members: readonly Member[], listed: ReadonlySet<string>): InstanceAddress[] {
  const able = members.filter(({ retirement, address }) => retirement === null && address !== null);
  const isAnyUp = able.some(({ condition }) => condition === 'up' || condition === 'unwell');
  const isAnyWell = able.some(isWell);
  const isAnyBetter = isAnyUp || able.some(({ condition }) => condition === 'starting');
  const takesRequests = ({ id, condition }: Member): boolean => {
    if (condition === 'starting') return !isAnyUp || listed.has(id);
    if (condition === 'sick') return !isAnyBetter;
    return condition === 'up' || (condition === 'unwell' && !isAnyWell);
  };
  return able.filter(takesRequests).map(({ address }) => address!);
}

/** Every instance that the target lets anybody reach. */
export function listedIn(target: RouteTarget | null): ReadonlySet<string> {
  return new Set(addressesIn(target).map(({ id }) => id));
}

/** Where those are. */
export function addressesIn(target: RouteTarget | null): InstanceAddress[] {
  return target?.kind === 'instances' ? [...target.instances, ...(target.probe?.instances ?? [])] : [];
}

export function isSameTarget(one: InstancesTarget, other: RouteTarget | null): boolean {
  if (other?.kind !== 'instances') return false;
  return textOf(one) === textOf(other);
}

const textOf = ({ deploymentId, instances, concurrency, maxInstances, lost, outage }: InstancesTarget): string =>
  JSON.stringify([deploymentId, instances.map(addressText).toSorted(), concurrency, maxInstances, lost ?? [], outage]);

const addressText = ({ id, host, port }: InstanceAddress): string => `${id} ${host} ${port}`;
