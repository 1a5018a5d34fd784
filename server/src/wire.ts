import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import type { Store } from './db/pool.ts';
import { createAccessStore } from './http/access-store.ts';
import { registerConsole } from './http/console/console-routes.ts';
import { createServer } from './http/create-server.ts';
import type { Handlers } from './http/handler.ts';
import type { Clock } from './lib/clock.ts';
import type { Log } from './lib/log.ts';
import { createAccessTokens } from './modules/accounts/access-token.ts';
import type { AccountsDeps } from './modules/accounts/accounts-deps.ts';
import { accountHandlers } from './modules/accounts/handlers.ts';
import { apiKeyHandlers, type ApiKeysDeps } from './modules/api-keys/handlers.ts';
import { createLastUsed } from './modules/api-keys/last-used.ts';
import { applicationHandlers } from './modules/applications/handlers.ts';
import { isEnabled } from './modules/catalogue/feature-flags.ts';
import { catalogueHandlers } from './modules/catalogue/handlers.ts';
import { organisationHandlers } from './modules/organisations/handlers.ts';
import { projectHandlers } from './modules/projects/handlers.ts';
import type { Keyring } from './secrets/keyring.ts';
import { platformSecret } from './secrets/platform-secrets-store.ts';

export interface ApiDeps {
  config: Config;
  store: Store;
  keyring: Keyring;
  clock: Clock;
  log: Log;
}

/** The api role, whole, but not yet listening. Closing it leaves the store open: that is its giver's. */
export async function buildApi(deps: ApiDeps): Promise<FastifyInstance> {
  const { config, store, clock, log } = deps;
  const [signingKey, consolePasswordKey] = await Promise.all([
    platformSecret(deps, 'access-token-signing'),
    platformSecret(deps, 'console-password'),
  ]);
  const accessTokens = createAccessTokens({ signingKey, clock });
  const lastUsed = createLastUsed({ db: store.db, clock, log });
  const app = createServer({
    config,
    clock,
    log,
    handlers: handlersOf({ ...deps, accessTokens, consolePasswordKey, lastUsed }),
    accessTokens,
    access: createAccessStore(store.pool),
    noteKeyUse: (keyId) => lastUsed.touch(keyId),
    isFeatureOn: (flag) => isEnabled(config, flag),
  });
  await registerConsole(app, { config, clock, consolePasswordKey });
  app.addHook('onClose', () => lastUsed.close());
  return app;
}

/** Every endpoint of the contract has a handler here, or this does not compile. */
function handlersOf(deps: ApiDeps & AccountsDeps & ApiKeysDeps): Handlers {
  return {
    ...catalogueHandlers(deps),
    ...accountHandlers(deps),
    ...organisationHandlers(deps),
    ...apiKeyHandlers(deps),
    ...projectHandlers(deps),
    ...applicationHandlers(deps),
  };
}
