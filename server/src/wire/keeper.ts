import type { PassToKeeperDeps } from '../http/pass-to-keeper.ts';
import type { Clock } from '../lib/clock.ts';
import { API_PURPOSE } from '../routing/api-purposes.ts';
import { findKeeper } from '../routing/keeper-store.ts';
import { PeerAgent } from '../routing/peer-agent.ts';
import { platformSecret } from '../secrets/platform-secrets-store.ts';
import { hostIdOf } from '../store/host-id.ts';
import type { RoleDeps } from './seams.ts';

/** It seldom changes, and many may ask at once. */
const REMEMBER_MS = 1000;
/** Whoever is gone without a word would not answer on a connection that is kept: it is not kept for long. */
const IDLE_CONNECTION_MS = 5000;
const MAX_CONNECTIONS = 256;

/** How an api asks the host that keeps the databases. Left out where there is no other host. */
export function openKeeperWay(deps: RoleDeps): PassToKeeperDeps | undefined {
  const { config, store, clock, log } = deps;
  if (config.databaseUrl === null) return undefined;
  let secret: Buffer | null = null;
  return {
    log,
    agent: new PeerAgent({ ...AGENT_OPTIONS, secret: () => secret, purpose: API_PURPOSE }),
    findKeeper: remembering(clock, async () => {
      const keeper = await findKeeper(store.db, () => hostIdOf(config));
      if (keeper.kind === 'there') secret ??= await platformSecret(deps, 'edge-to-api');
      return keeper;
    }),
  };
}

const AGENT_OPTIONS = {
  keepAlive: true,
  timeout: IDLE_CONNECTION_MS,
  maxSockets: MAX_CONNECTIONS,
  maxFreeSockets: 16,
} as const;

/** All who ask meanwhile wait for the same answer. What failed is asked again at once. */
function remembering<T>(clock: Clock, find: () => Promise<T>): () => Promise<T> {
  let known: { at: number; found: Promise<T> } | null = null;
  return () => {
    const at = clock.now().getTime();
    if (known && Math.abs(at - known.at) < REMEMBER_MS) return known.found;
    const asked = { at, found: find() };
    known = asked;
    asked.found.catch(() => {
      if (known === asked) known = null;
    });
    return asked.found;
  };
}
