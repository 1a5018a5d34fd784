import { existsSync } from 'node:fs';
import { pathsOf, type Config } from '../../config.ts';
import { currentMigration, migrationNames } from '../../db/migrate.ts';
import { openStore, type StoreAddress } from '../../db/pool.ts';
import { findPostgres } from '../../store/binaries.ts';
import { findRunning } from '../../store/embedded-store.ts';
import { storeAddressOf } from '../../store/store-address.ts';
import { isHeld } from '../is-held.ts';
import { OLDEST_POSTGRESQL } from '../open-installation.ts';
import { readStoreFacts, type StoreFacts } from '../store-facts-store.ts';
import { fail, ok, warn, type CheckedHost, type CheckFamily, type Finding } from './check.ts';

export const storeChecks: CheckFamily = {
  title: 'Store',
  checks: [
    {
      id: 'store.server',
      title: 'PostgreSQL',
      needsHome: isEmbedded,
      look: ({ config }) => (config.databaseUrl ? lookAtExternal(config) : lookAtEmbedded(config)),
    },
    { id: 'store.schema', title: 'Tables', needsHome: isEmbedded, look: lookAtSchema },
  ],
};

function isEmbedded({ databaseUrl }: Config): boolean {
  return databaseUrl === null;
}

async function lookAtExternal(config: Config): Promise<Finding> {
  try {
    return judgeExternal(await readStoreFacts(storeAddressOf(config)), new Date());
  } catch (error) {
    return fail(
      `LILAC_DATABASE_URL is set, and the server does not let us in: ${(error as Error).message}`,
      'Check the address, the password and that the server runs.',
    );
  }
}

const MAX_SKEW_MS = 5000;

export function judgeExternal({ version, majorVersion, now }: StoreFacts, here: Date): Finding {
  const found = `${version}, at LILAC_DATABASE_URL`;
  if (majorVersion < OLDEST_POSTGRESQL) return fail(found, `Lilac needs PostgreSQL ${OLDEST_POSTGRESQL} or newer.`);
  const skewMs = Math.abs(now.getTime() - here.getTime());
  return skewMs > MAX_SKEW_MS
    ? warn(`${found}; its clock and ours are ${Math.round(skewMs / 1000)} s apart`, 'Switch on NTP on both machines.')
    : ok(found);
}

async function lookAtEmbedded(config: Config): Promise<Finding> {
  const paths = pathsOf(config);
  const running = findRunning({ directory: paths.store });
  if (!running) return lookAtResting(config);
  try {
    const { version } = await readStoreFacts(storeAddressOf(config));
    const found = `${version}, embedded, runs (process ${running.pid})`;
    return isHeld(paths.supervisorLock)
      ? ok(found)
      : warn(`${found} without a supervisor`, 'It was left behind by a kill. The next start adopts it.');
  } catch (error) {
    const problem = `embedded, runs (process ${running.pid}), but does not let us in: ${(error as Error).message}`;
    return fail(problem, `Look at ${paths.storeLog}.`);
  }
}

function lookAtResting(config: Config): Finding {
  const paths = pathsOf(config);
  if (isHeld(paths.supervisorLock)) return fail('embedded, does not run', `Look at ${paths.storeLog}.`);
  try {
    const { version } = findPostgres(false);
    const state = existsSync(paths.storeSocket) ? 'does not run' : 'no data yet; the first start makes it';
    return ok(`${version}, embedded, ${state}`);
  } catch (error) {
    return fail((error as Error).message, 'Run "npm ci --include=optional", or set LILAC_DATABASE_URL.');
  }
}

async function lookAtSchema({ config }: CheckedHost): Promise<Finding> {
  if (!config.databaseUrl && !findRunning({ directory: pathsOf(config).store })) {
    return ok('not looked at, as the store does not run');
  }
  try {
    return judgeSchema(await readMigration(storeAddressOf(config)), migrationNames());
  } catch (error) {
    return fail(`cannot be read: ${(error as Error).message}`, 'See PostgreSQL above.');
  }
}

async function readMigration(address: StoreAddress): Promise<string | null> {
  await readStoreFacts(address);
  const store = openStore(address, { max: 1, applicationName: 'doctor' });
  try {
    return await currentMigration(store.db);
  } finally {
    await store.close();
  }
}

export function judgeSchema(current: string | null, known: readonly string[]): Finding {
  const newest = known.at(-1);
  if (current === newest) return ok(`up to date (${current})`);
  const found = current === null ? 'empty' : `at ${current}, ${known.length - known.indexOf(current) - 1} behind`;
  return warn(found, 'The next start of the server brings them up to date.');
}
