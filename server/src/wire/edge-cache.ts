import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { pathsOf, type Config } from '../config.ts';
import { ObjectCache } from '../edge/cache/object-cache.ts';
import type { Clock } from '../lib/clock.ts';
import { openObjectStore } from '../objects/open-object-store.ts';

export interface EdgeCacheOptions {
  config: Config;
  /** Which of the edges of this machine it is for. */
  place: number;
  clock: Clock;
}

/** Brings files here that are elsewhere. Undefined: they are files of this machine, and are read where they lie. */
export async function openEdgeCache({ config, place, clock }: EdgeCacheOptions): Promise<ObjectCache | undefined> {
  if (!config.s3) return undefined;
  const cache = new ObjectCache({
    root: pathsOf(config).edgeCache,
    // An edge only reads: it signs no addresses.
    objects: await openObjectStore({ config, signingKey: randomBytes(32), clock }),
    maxBytes: config.edgeCacheBytes,
    place,
    processes: config.edgeProcesses ?? availableParallelism(),
  });
  await cache.start();
  return cache;
}
