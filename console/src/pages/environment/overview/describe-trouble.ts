import type { Deployment } from '../../../lib/describe-deployment.ts';
import { inConsoleWords } from '../../../lib/in-console-words.ts';
import { lastOutcome } from '../../../lib/last-tried.ts';
import type { Environment } from '../environment-page.tsx';

interface Trouble {
  text: string;
  /** Where more is told. */
  href: string;
  way: string;
}

type Troubled = Pick<Environment, 'id' | 'trouble'>;
type Known = Pick<Deployment, 'id' | 'status' | 'error' | 'completed_at'>;

/**
 * What is wrong, and where to look: with the instances of what is served, which their log tells, or with the last
 * deployment that nobody stopped. Null where nothing is. Newest first, as they are listed.
 */
export function describeTrouble({ id, trouble }: Troubled, deployments: readonly Known[]): Trouble | null {
  if (trouble === null) return null;
  const failed = failureIn(trouble, deployments);
  if (!failed) return { text: inConsoleWords(trouble), href: `/environments/${id}/logs`, way: 'Look at the log' };
  const isStoppedSince = deployments[0]?.status === 'cancelled';
  const which = isStoppedSince ? 'The last deployment that was not cancelled failed' : 'The last deployment failed';
  const why = failed.error === null ? '.' : `: ${inConsoleWords(failed.error)}`;
  return { text: `${which}${why}`, href: `/deployments/${failed.id}`, way: 'Look at the deployment' };
}

/** The platform names the deployment it speaks of. What it says of instances has nothing to do with one that failed. */
function failureIn(trouble: string, deployments: readonly Known[]): Known | null {
  const outcome = lastOutcome(deployments);
  return outcome?.status === 'failed' && trouble.includes(`(${outcome.id})`) ? outcome : null;
}
