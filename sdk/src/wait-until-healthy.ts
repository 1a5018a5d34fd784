import { withDeadline } from './deadline.ts';
import { DeploymentFailed } from './errors.ts';
import type { Lilac } from './lilac.ts';
import type { Environment } from './resources.ts';
import { pause } from './tries.ts';
import type { HealthTarget, WaitOptions } from './wait-options.ts';

type Waiting = Pick<Lilac, 'call' | 'waitForDeployment'>;

/** Where nothing tells of changes, it is looked again. */
const LOOK_MS = 1000;

/** Until what was deployed last is served and its instances answer. */
export async function waitUntilHealthy(
  lilac: Waiting,
  target: HealthTarget,
  options: WaitOptions,
): Promise<Environment> {
  const what =
    'environmentId' in target ? `environment ${target.environmentId}` : `application ${target.applicationId}`;
  return await withDeadline(`${what} to be healthy`, options, async (signal) => {
    const { targetOrganisationId } = options;
    const own = { targetOrganisationId, signal };
    const environmentId = await environmentOf(lilac, target, own);
    const body = { targetOrganisationId, environmentId };
    for (;;) {
      const state = await lilac.call('environments.status', { body, signal });
      if (state.status === 'healthy') return await lilac.call('environments.get', { body, signal });
      if (!(await hasFollowed(lilac, state, own))) await pause(LOOK_MS, signal);
    }
  });
}

interface Own {
  targetOrganisationId: string | undefined;
  signal: AbortSignal;
}

async function environmentOf(lilac: Waiting, target: HealthTarget, { targetOrganisationId, signal }: Own) {
  if ('environmentId' in target) return target.environmentId;
  const body = { targetOrganisationId, applicationId: target.applicationId };
  const { environments } = await lilac.call('applications.get', { body, signal });
  const production = environments.find((each) => each.is_production);
  if (!production) throw new TypeError(`Application ${target.applicationId} has no production environment.`);
  return production.id;
}

const MOVING: readonly string[] = ['pending', 'building', 'deploying'];

/** Whether one was under way and has ended; throws when the last one did not succeed, and nothing is moving. */
async function hasFollowed(lilac: Waiting, { id, status }: Pick<Environment, 'id' | 'status'>, own: Own) {
  const { targetOrganisationId, signal } = own;
  const body = { targetOrganisationId, environmentId: id, limit: 1 };
  const [newest] = await lilac.call('deployments.list', { body, signal });
  if (newest && MOVING.includes(newest.status)) {
    await lilac.waitForDeployment(newest.id, { ...own, fromLine: -1, timeoutMs: Infinity });
    return true;
  }
  // While an older one is released again, what became of the newest says nothing.
  if (!newest || newest.status === 'healthy' || status === 'deploying') return false;
  const ended = { targetOrganisationId, deploymentId: newest.id };
  throw new DeploymentFailed(await lilac.call('deployments.get', { body: ended, signal }));
}
