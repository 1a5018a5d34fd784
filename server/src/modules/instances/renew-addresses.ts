import { readLinkedAddresses } from '../databases/links/linked-addresses.ts';
import type { FleetWorld } from './fleet-world.ts';
import type { Member } from './member.ts';
import type { Subject } from './subject.ts';

/** Reads the addresses of databases again; what was known before stands while the store does not answer. */
export async function renewAddresses(world: FleetWorld, subject: Subject): Promise<void> {
  if (!hasAddresses(subject)) return;
  const { deployment } = subject;
  const { databaseLinks } = deployment;
  try {
    const addresses = await readLinkedAddresses(world.store.db, world, databaseLinks);
    const own = Object.entries(deployment.variables).filter(([name]) => !Object.hasOwn(databaseLinks, name));
    deployment.variables = { ...Object.fromEntries(own), ...addresses };
  } catch (error) {
    world.log.warn({ err: error }, 'the addresses of databases could not be read');
  }
}

export function hasAddresses({ deployment: { databaseLinks } }: Subject): boolean {
  return Object.keys(databaseLinks).length > 0;
}

/** To compare with: what instances that start now are given. */
export function addressesText({ deployment: { databaseLinks, variables } }: Subject): string {
  const names = Object.keys(databaseLinks).toSorted();
  return JSON.stringify(names.map((name) => [name, variables[name] ?? null]));
}

/**
 * Those that may go, since others are up that know the addresses of now: as many as can be spared.
 * `isReady` says of one whether it takes the place of another.
 */
export function chooseOutdated(
  members: readonly Member[],
  { desired, isReady }: { desired: number; isReady: (member: Member) => boolean },
): Member[] {
  const outdated = members.filter(isOutdated).toSorted((one, other) => rankOf(one) - rankOf(other));
  const ready = members.filter((member) => !member.isOutdated && member.retirement === null && isReady(member));
  const needed = Math.max(0, desired - ready.length);
  return outdated.slice(0, Math.max(0, outdated.length - needed));
}

/** Another one is to take its place, and it has not been told to go yet. */
export function isOutdated(member: Member): boolean {
  return member.isOutdated && member.retirement === null && member.condition !== 'ended';
}

/** Who serves goes last. */
function rankOf({ condition }: Member): number {
  return condition === 'up' ? 1 : 0;
}
