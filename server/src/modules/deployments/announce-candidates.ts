import { isDeepStrictEqual } from 'node:util';
import type { InstanceAddress } from '../../routing/route.ts';
import { findRoute, publishRoute } from '../../routing/route-store.ts';
import { awaitEdges, type ReleaseTiming } from './await-edges.ts';
import { whileOurs, type HeldRelease, type ReleaseStep } from './hold-release.ts';
import { checkedTarget } from './target-of.ts';

/** What edges were told, so that whoever knows the token reaches the instances that are checked. */
export interface Announced {
  subdomain: string;
  instances: readonly InstanceAddress[];
  /** Null: files are served under its address until the switch, and edges are told of no instance. */
  version: number | null;
  /** Every edge is known to have followed. */
  hasArrived: boolean;
}

export interface Announcement {
  token: string;
  instances: readonly InstanceAddress[];
}

/** Null when it is no longer this job's. */
export function announce(step: ReleaseStep, announcement: Announcement): Promise<Announced | null> {
  return whileOurs(step, (held) => publishProbe(held, announcement));
}

/**
 * Lets edges follow while the instances still start, instead of afterwards. Null, and nothing lost, where
 * that did not come about. Aborted, it resolves soon.
 */
export async function announceEarly(
  step: ReleaseStep,
  announcement: Announcement,
  timing: ReleaseTiming,
): Promise<Announced | null> {
  const { db, context } = step;
  try {
    const announced = await whileOurs(step, async (held) =>
      (await isServed(held)) ? publishProbe(held, announcement) : null,
    );
    if (!announced || announced.version === null) return announced;
    const lagging = await awaitEdges(db, { version: announced.version, timing, signal: context.signal });
    return { ...announced, hasArrived: lagging === null };
  } catch {
    // Whatever it was, whoever announces them in earnest meets it again.
    return null;
  }
}

/** Where instances serve already. Elsewhere visitors would be held by edges for as long as the start takes. */
async function isServed({ tx, environment }: HeldRelease): Promise<boolean> {
  return (await findRoute(tx, environment.id))?.target?.kind === 'instances';
}

async function publishProbe(
  { tx, environment, deployment }: HeldRelease,
  { token, instances }: Announcement,
): Promise<Announced> {
  const { id: environmentId, subdomain } = environment;
  const current = (await findRoute(tx, environmentId))?.target ?? null;
  const announced = { subdomain, instances, hasArrived: false };
  if (current?.kind === 'static') return { ...announced, version: null };
  const target = await checkedTarget(tx, { environment, deployment, instances }, { current, token });
  return { ...announced, version: await publishRoute(tx, { environmentId, subdomain, target }) };
}

/** It may turn out that one listens elsewhere, or has ended. */
export function isStillTrue({ instances }: Announced, now: readonly InstanceAddress[]): boolean {
  return isDeepStrictEqual(instances, now);
}
