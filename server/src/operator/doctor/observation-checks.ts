import { pathsOf } from '../../config.ts';
import { currentMigration, migrationNames } from '../../db/migrate.ts';
import { openStore } from '../../db/pool.ts';
import { countPlatformErrorsSince } from '../../modules/platform/platform-error-store.ts';
import { findRunning } from '../../store/embedded-store.ts';
import { storeAddressOf } from '../../store/store-address.ts';
import { readStoreFacts } from '../store-facts-store.ts';
import { isHeld } from '../is-held.ts';
import { askPlatform } from './ask-platform.ts';
import { ok, warn, type CheckedHost, type CheckFamily, type Finding } from './check.ts';

export const observationChecks: CheckFamily = {
  title: 'Observation',
  checks: [
    {
      id: 'observation.errors',
      title: 'Errors',
      needsHome: ({ databaseUrl }) => databaseUrl === null,
      look: lookAtErrors,
    },
    { id: 'observation.metrics', title: 'Metrics', look: lookAtMetrics },
  ],
};

const DAY_MS = 24 * 60 * 60 * 1000;

async function lookAtErrors({ config }: CheckedHost): Promise<Finding> {
  if (!config.databaseUrl && !findRunning({ directory: pathsOf(config).store })) {
    return ok('not looked at, as the store does not run');
  }
  const address = storeAddressOf(config);
  try {
    await readStoreFacts(address);
    const store = openStore(address, { max: 1, applicationName: 'doctor' });
    try {
      if ((await currentMigration(store.db)) !== migrationNames().at(-1)) return ok('not looked at, see Tables');
      return judgeErrors(await countPlatformErrorsSince(store.db, new Date(Date.now() - DAY_MS)));
    } finally {
      await store.close();
    }
  } catch {
    // Said once, by who looks at the store itself.
    return ok('not looked at, see PostgreSQL');
  }
}

export function judgeErrors(count: number): Finding {
  if (count === 0) return ok('none in the last day');
  const found = `${count === 1 ? 'one failure' : `${count} failures`} of the platform in the last day`;
  return warn(found, 'Look at them: lilac admin errors');
}

/** The platform was started with settings of its own, so it is asked while it runs. */
export async function lookAtMetrics({ config }: Pick<CheckedHost, 'config'>): Promise<Finding> {
  const isToBe = config.metricsToken !== null;
  const isThere = isHeld(pathsOf(config).supervisorLock) ? await answersMetrics(config) : isToBe;
  if (isThere === null) return ok('not looked at, see Public port');
  if (isThere) return ok(`for Prometheus at ${config.publicUrl.origin}/metrics`);
  if (!isToBe) return ok('no endpoint for Prometheus; LILAC_METRICS_TOKEN would make one');
  return warn(
    'no endpoint for Prometheus, though LILAC_METRICS_TOKEN is set here',
    'Restart the platform with that setting.',
  );
}

/** Without the token: where there is an endpoint that is refused, elsewhere nothing is found. Null: nobody can tell. */
async function answersMetrics(config: CheckedHost['config']): Promise<boolean | null> {
  try {
    const { status = 500 } = await askPlatform(config, '/metrics');
    return status >= 500 ? null : status === 401;
  } catch {
    return null;
  }
}
