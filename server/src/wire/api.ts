import type { FastifyInstance } from 'fastify';
import { createAccessStore } from '../http/access-store.ts';
import { registerConsole } from '../http/console/console-routes.ts';
import { createServer } from '../http/create-server.ts';
import type { Handlers } from '../http/handler.ts';
import { registerMcp } from '../http/mcp/mcp-routes.ts';
import { createRateSharing } from '../http/share-rates.ts';
import { registerMetrics } from '../http/metrics-endpoint.ts';
import type { StreamTimes } from '../http/serve-stream.ts';
import { createAccessTokens } from '../modules/accounts/access-token.ts';
import type { AccountsDeps } from '../modules/accounts/accounts-deps.ts';
import { accountHandlers } from '../modules/accounts/handlers.ts';
import { sessionOfRefreshToken } from '../modules/accounts/session-of-refresh-token.ts';
import { apiKeyHandlers, type ApiKeysDeps } from '../modules/api-keys/handlers.ts';
import { createLastUsed } from '../modules/api-keys/last-used.ts';
import { applicationHandlers } from '../modules/applications/handlers.ts';
import { isEnabled } from '../modules/catalogue/feature-flags.ts';
import { catalogueHandlers } from '../modules/catalogue/handlers.ts';
import type { Engines } from '../modules/databases/databases-deps.ts';
import { databaseHandlers } from '../modules/databases/all-handlers.ts';
import { deploymentHandlers } from '../modules/deployments/handlers.ts';
import { domainHandlers } from '../modules/domains/handlers.ts';
import { environmentHandlers } from '../modules/environments/handlers.ts';
import { followHandlers } from '../modules/logs/follow-handlers.ts';
import { logHandlers } from '../modules/logs/handlers.ts';
import type { FollowDeps } from '../modules/logs/follow-logs.ts';
import { LogHub } from '../modules/logs/log-hub.ts';
import { metricHandlers } from '../modules/metrics/handlers.ts';
import { organisationHandlers } from '../modules/organisations/handlers.ts';
import { createErrorKeeper } from '../modules/platform/keep-errors.ts';
import { renderMetrics } from '../modules/platform/render-metrics.ts';
import { projectHandlers } from '../modules/projects/handlers.ts';
import { repositoryHandlers } from '../modules/repositories/handlers.ts';
import { uploadHandlers } from '../modules/uploads/handlers.ts';
import { uploadOriginOf } from '../objects/upload-origin.ts';
import { platformSecret } from '../secrets/platform-secrets-store.ts';
import { registerCertificateRoutes } from './certificates.ts';
import { createEngines } from './databases.ts';
import { openKeeperWay } from './keeper.ts';
import { registerVcsRoutes, vcsHandlers } from './vcs.ts';
import { openSeams, type RoleDeps, type Seams } from './seams.ts';

/** For tests that must know which requests have come as far as a handler. */
export type WatchHandlers = (handlers: Handlers) => Handlers;

/** The api role, whole, but not yet listening. Closing it leaves the store open: that is its giver's. */
export async function buildApi(
  deps: RoleDeps & { streamTimes?: Partial<StreamTimes>; engines?: Engines; watchHandlers?: WatchHandlers },
): Promise<FastifyInstance> {
  const { config, store, clock, log } = deps;
  const [signingKey, consolePasswordKey, questionKey, seams] = await Promise.all([
    platformSecret(deps, 'access-token-signing'),
    platformSecret(deps, 'console-password'),
    platformSecret(deps, 'mcp-questions'),
    openSeams(deps),
  ]);
  const uploadOrigin = await uploadOriginOf(seams.objects, { ...config, clock });
  const accessTokens = createAccessTokens({ signingKey, clock });
  const lastUsed = createLastUsed({ db: store.db, clock, log });
  const logHub = new LogHub(deps);
  const engines = deps.engines ?? createEngines(deps).engines;
  const errors = createErrorKeeper({ db: store.db, log, role: 'api' });
  // A store that is this machine's alone has one api.
  const rates = config.databaseUrl === null ? null : createRateSharing({ db: store.db });
  const handlers = handlersOf({ ...deps, ...seams, engines, accessTokens, consolePasswordKey, lastUsed, logHub });
  const app = createServer({
    config,
    clock,
    log,
    keepError: (error) => errors.keep(error),
    handlers: deps.watchHandlers?.(handlers) ?? handlers,
    accessTokens,
    streamTimes: deps.streamTimes ?? {},
    shareRates: rates?.share,
    keeper: openKeeperWay(deps),
    sessionOfRefreshToken: (token) => sessionOfRefreshToken(deps, token),
    access: createAccessStore(store.pool),
    noteKeyUse: (keyId) => lastUsed.touch(keyId),
    isFeatureOn: (flag) => isEnabled(config, flag),
  });
  registerMetrics(app, { token: config.metricsToken, render: () => renderMetrics(store.db) });
  registerMcp(app, { ...deps, questionKey, uploadOrigin });
  registerVcsRoutes(app, { ...deps, ...seams });
  registerCertificateRoutes(app, deps);
  await registerConsole(app, { config, clock, consolePasswordKey, uploadOrigin });
  app.addHook('onClose', () => Promise.all([lastUsed.close(), logHub.close(), errors.close(), rates?.close()]));
  return app;
}

/** Every endpoint of the contract has a handler here, or this does not compile. */
function handlersOf(deps: RoleDeps & Seams & AccountsDeps & ApiKeysDeps & FollowDeps & { engines: Engines }): Handlers {
  return {
    ...catalogueHandlers(deps),
    ...accountHandlers(deps),
    ...organisationHandlers(deps),
    ...apiKeyHandlers(deps),
    ...projectHandlers(deps),
    ...applicationHandlers(deps),
    ...repositoryHandlers(deps),
    ...environmentHandlers(deps),
    ...domainHandlers(deps),
    ...metricHandlers(deps),
    ...followHandlers(deps),
    ...logHandlers(deps),
    ...deploymentHandlers(deps),
    ...databaseHandlers(deps),
    ...uploadHandlers(deps),
    ...vcsHandlers(deps),
  };
}
