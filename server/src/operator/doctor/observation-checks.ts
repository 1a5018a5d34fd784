import { pathsOf } from '../../config.ts';
import { countPlatformErrorsSince } from '../../modules/platform/platform-error-store.ts';
import { isHeld } from '../is-held.ts';
import { askPlatform } from './ask-platform.ts';
import { ok, warn, type CheckedHost, type CheckFamily, type Finding } from './check.ts';
import { lookIntoStore } from './look-into-store.ts';

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

function lookAtErrors(host: CheckedHost): Promise<Finding> {
  return lookIntoStore(host, async (db) =>
    judgeErrors(await countPlatformErrorsSince(db, new Date(Date.now() - DAY_MS))),
  );
}

function judgeErrors(count: number): Finding {
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
