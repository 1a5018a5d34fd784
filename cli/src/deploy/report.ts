import type { Deployment, Lilac } from '@lilac/sdk';
import type { Context } from '../frame/context.ts';
import { GaveUp } from '../frame/gave-up.ts';
import { duration } from '../terminal/duration.ts';
import type { LiveLine } from '../terminal/live-line.ts';
import { plainText } from '../terminal/printable.ts';
import type { Started } from './start-deployment.ts';
import { isStillServed } from './still-served.ts';

const LAST_LINES = 20;

interface Ended {
  lilac: Lilac;
  started: Started;
  deployment: Deployment;
  tookMs: number;
}

/** The address alone on standard output, for programs; a deployment that did not succeed throws. */
export async function report(context: Context, line: LiveLine, ended: Ended): Promise<null> {
  const { lilac, started, deployment, tookMs } = ended;
  const { deployment_logs: log, ...shown } = deployment;
  const isHealthy = deployment.status === 'healthy';
  const answer = {
    status: deployment.status,
    url: started.url,
    ...idsOf(started),
    seconds: Math.round(tookMs / 100) / 10,
    deployment: shown,
    ...(!isHealthy && { error: deployment.error, lastLines: log.slice(-LAST_LINES) }),
  };
  if (context.isJson) await context.print(`${JSON.stringify(answer, null, 2)}\n`);
  if (!isHealthy) throw new GaveUp(failure(started, deployment, await isStillServed(lilac, started)));
  line.print(`${line.mark('good')} ${line.paint('bold', 'Live')} after ${duration(tookMs)}`);
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
