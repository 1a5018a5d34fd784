import type { StoredThing } from '../peek-store.ts';
import { spanOf } from './deployments-explained.ts';
import type { Check, Invariant } from './problem.ts';

const NAME = 'what was acknowledged as created becomes healthy, unless a fault explains why not';

/** Applications and databases that came, and that nobody was told are gone. */
export const isCreatedHealthy: Invariant = async (check) => {
  const { ledger } = check.scene;
  const promised = (await check.peek.created()).filter(({ name }) => ledger.allowed(name)[0] === 'there');
  const unwell = promised.filter(({ status }) => status !== 'healthy');
  const failed = new Set((await check.peek.failedDeployments()).map(({ environmentId }) => environmentId));
  return unwell
    .filter((thing) => !isExplained(check, thing, failed))
    .map(({ kind, name, status, error }) => ({
      invariant: NAME,
      about: name,
      what: `the ${kind} is ${status}${error === '' ? '' : `: ${error}`}`,
    }));
};

/** Why a deployment failed is asked for by its own invariant. */
function isExplained(
  { scene }: Check,
  { kind, status, createdAt, updatedAt, environmentId }: StoredThing,
  failed: ReadonlySet<string>,
): boolean {
  if (status !== 'failed') return false;
  return kind === 'application'
    ? failed.has(environmentId ?? '')
    : scene.outages.explainDatabase(spanOf(createdAt, updatedAt)) !== undefined;
}
