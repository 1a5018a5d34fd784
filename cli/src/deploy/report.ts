import { formatDuration } from '@lilac/contract/format-duration';
import { cameToNothing } from '@lilac/contract/came-to-nothing';
import type { Deployment, Lilac } from '@lilac/sdk';
import type { Context } from '../frame/context.ts';
import { GaveUp } from '../frame/gave-up.ts';
import type { LiveLine } from '../terminal/live-line.ts';
import { plainText } from '../terminal/printable.ts';
import { describeDeployment } from './describe-deployment.ts';
import type { Started } from './start-deployment.ts';
import { findServedInstead, isStillServed } from './still-served.ts';

const LAST_LINES = 20;
const MARK = '==> ';

interface Ended {
  lilac: Lilac;
  started: Started;
  deployment: Deployment;
  tookMs: number;
  /** What was released once stays healthy: then only what is live has come about. */
  isRollback?: boolean;
}

/** The address alone on standard output, for programs; a deployment that did not succeed throws. */
export async function report(context: Context, line: LiveLine, ended: Ended): Promise<null> {
  const { lilac, started, deployment, tookMs, isRollback = false } = ended;
  const { deployment_logs: log, ...shown } = deployment;
  const isHealthy = deployment.status === 'healthy';
  const isOvertaken = isRollback && isHealthy && !deployment.is_live;
  const problem = isOvertaken ? await notServed(ended) : null;
  const answer = {
    status: deployment.status,
    url: started.url,
    ...idsOf(started),
    seconds: Math.round(tookMs / 100) / 10,
    deployment: shown,
    ...(!isHealthy && { error: deployment.error, lastLines: log.slice(-LAST_LINES) }),
    ...(problem && { error: problem }),
  };
  if (context.isJson) await context.print(`${JSON.stringify(answer, null, 2)}\n`);
  if (problem) throw new GaveUp(problem);
  if (!isHealthy) throw new GaveUp(failure(started, deployment, await isStillServed(lilac, started)));
  line.print(`${line.mark('good')} ${line.paint('bold', 'Live')} after ${formatDuration(tookMs)}`);
  if (!context.isJson) await context.print(`${plainText(started.url)}\n`);
  return null;
}

/** Programs get their document also where it was not waited for to the end. */
export async function reportUnended(context: Context, lilac: Lilac, started: Started): Promise<void> {
  const { organisationId: targetOrganisationId, deploymentId } = started;
  if (!context.isJson) return;
  const found = await lilac.call('deployments.get', { body: { targetOrganisationId, deploymentId } }).catch(() => null);
  const answer = { status: found?.status ?? 'pending', url: started.url, ...idsOf(started) };
  await context.print(`${JSON.stringify(answer, null, 2)}\n`);
}

export async function reportStarted(context: Context, started: Started): Promise<null> {
  if (context.isJson) {
    const answer = { status: 'pending', url: started.url, ...idsOf(started) };
    await context.print(`${JSON.stringify(answer, null, 2)}\n`);
  } else {
    context.complain(`Started. To see what becomes of it: lilac deployments get ${started.deploymentId}\n`);
    await context.print(`${plainText(started.url)}\n`);
  }
  return null;
}

const idsOf = ({ applicationId, environmentId, deploymentId }: Started) => ({
  application_id: applicationId,
  environment_id: environmentId,
  deployment_id: deploymentId,
});

async function notServed({ lilac, started, deployment }: Ended): Promise<string> {
  const served = await findServedInstead(lilac, started);
  return [
    cameToNothing(deployment)
      ? `The rollback to ${started.deploymentId} came to nothing.${whyOf(deployment)}`
      : `${started.deploymentId} was served again, and another one has taken its place since.`,
    ...(served ? [`Served now: ${describeDeployment(served)}`] : []),
    `If it is still wanted: lilac rollback ${started.deploymentId}`,
  ].join('\n');
}

/** The last that the platform said in its log. */
function whyOf({ deployment_logs: log }: Deployment): string {
  const said = log.findLast((line) => line.startsWith(MARK));
  return said ? ` ${plainText(said.slice(MARK.length))}` : '';
}

function failure(
  { deploymentId, environmentId }: Started,
  { status, deployment_stage: stage, error }: Deployment,
  isServedStill: boolean,
): string {
  const what = status === 'cancelled' ? 'The deployment was cancelled' : `The deployment failed while ${stage}`;
  const hasStarted = ['starting', 'checking', 'routing'].includes(stage);
  const look = hasStarted ? `lilac logs ${environmentId}` : `lilac deployments get ${deploymentId}`;
  return [
    `${what}${error ? `: ${plainText(error)}` : '.'}`,
    ...(isServedStill ? ['What was served before is still served.'] : []),
    ...(status === 'failed' ? [`Mend it and run "lilac deploy" again. To see more: ${look}`] : []),
  ].join('\n');
}
