import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import type { Store } from './db/pool.ts';
import { createAccessStore } from './http/access-store.ts';
import { createServer } from './http/create-server.ts';
import type { Handlers } from './http/handler.ts';
import type { Clock } from './lib/clock.ts';
import type { Log } from './lib/log.ts';
import { createAccessTokens } from './modules/accounts/access-token.ts';
import { createLastUsed } from './modules/api-keys/last-used.ts';
import { isEnabled } from './modules/catalogue/feature-flags.ts';
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
    handlers: (await handlersThatExist({ ...deps, accessTokens, consolePasswordKey, lastUsed })) as Handlers,
    accessTokens,
    access: createAccessStore(store.pool),
    noteKeyUse: (keyId) => lastUsed.touch(keyId),
    isFeatureOn: (flag) => isEnabled(config, flag),
  });
  app.addHook('onClose', () => lastUsed.close());
  return app;
}

/** While the modules land one by one. */
async function handlersThatExist(deps: object): Promise<Partial<Handlers>> {
  const wanted = {
    accounts: 'accountHandlers',
    organisations: 'organisationHandlers',
    'api-keys': 'apiKeyHandlers',
    projects: 'projectHandlers',
    applications: 'applicationHandlers',
    catalogue: 'catalogueHandlers',
  };
  const found: Partial<Handlers> = {};
  for (const [module, name] of Object.entries(wanted)) {
    const file = join(import.meta.dirname, 'modules', module, 'handlers.ts');
    if (!existsSync(file)) continue;
    const exports = (await import(/* @vite-ignore */ file)) as Record<string, (deps: object) => Partial<Handlers>>;
    Object.assign(found, exports[name]!(deps));
  }
  return found;
}
