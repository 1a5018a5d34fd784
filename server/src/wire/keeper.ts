import type { PassToKeeperDeps } from '../http/pass-to-keeper.ts';
import { API_PURPOSE } from '../routing/api-purposes.ts';
import { findKeeper } from '../routing/keeper-store.ts';
import { PeerAgent } from '../routing/peer-agent.ts';
import { platformSecret } from '../secrets/platform-secrets-store.ts';
import { hostIdOf } from '../store/host-id.ts';
import type { RoleDeps } from '../wire.ts';

/** How an api asks the host that keeps the databases. Left out where there is no other host. */
export function openKeeperWay(deps: RoleDeps): PassToKeeperDeps | undefined {
  const { config, store, log } = deps;
  if (config.databaseUrl === null) return undefined;
  let secret: Buffer | null = null;
  return {
    log,
    // Such requests are few, and a connection that is kept may have ended by the next.
    agent: new PeerAgent({ secret: () => secret, purpose: API_PURPOSE, keepAlive: false }),
    async findKeeper() {
      const keeper = await findKeeper(store.db, () => hostIdOf(config));
      if (keeper.kind === 'there') secret ??= await platformSecret(deps, 'edge-to-api');
      return keeper;
    },
  };
}
