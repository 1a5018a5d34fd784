/**
 * One of the two servers that bench/api compares, in a process of its own: the platform's API, or a bare
 * Fastify route that does the same single query on the same pool. It tells its processor time when asked.
 */
import { fastify, type FastifyInstance } from 'fastify';
import { pathsOf, readConfig, type Config } from '../../server/src/config.ts';
import { openStore, type Store } from '../../server/src/db/pool.ts';
import { createAccessStore } from '../../server/src/http/access-store.ts';
import { systemClock } from '../../server/src/lib/clock.ts';
import { createLog } from '../../server/src/lib/log.ts';
import { openKeyring } from '../../server/src/secrets/key-file.ts';
import { buildApi } from '../../server/src/wire/api.ts';

const [kind, home, storePassword, socket] = process.argv.slice(2) as [string, string, string, string];
const config = readConfig({ LILAC_HOME: home, LILAC_RATE_LIMIT: '1000000000' });
const directory = pathsOf(config).storeSocket;
const store = openStore({ kind: 'socket', directory, password: storePassword }, { max: 10, applicationName: kind });

const app = kind === 'platform' ? await buildPlatform(config, store) : buildBare(store);
await app.listen({ path: socket });
process.on('message', () => process.send?.(process.cpuUsage()));
process.on('disconnect', () => process.exit());
process.send?.('listening');

function buildPlatform(config: Config, store: Store): Promise<FastifyInstance> {
  const keyring = openKeyring(pathsOf(config).keyring);
  const log = createLog({ level: config.logLevel, role: 'api' });
  return buildApi({ config, store, keyring, clock: systemClock, log });
}

function buildBare(store: Store): FastifyInstance {
  const bare = fastify({ logger: false });
  const access = createAccessStore(store.pool);
  bare.post('/api/applications/status', async (request) => {
    const { userId, targetOrganisationId, applicationId } = request.body as Record<string, string>;
    const found = await access.findMembership({
      userId: userId!,
      organisationId: targetOrganisationId!,
      resource: { kind: 'application', id: applicationId! },
    });
    const { id, status, slug } = found!.resource as { id: string; status: string; slug: string };
    return { id, status, url: `http://${slug}.localhost:7080` };
  });
  return bare;
}
