import { cameToNothing } from '@lilac/contract/came-to-nothing';
import { deployment } from '@lilac/contract/deployment-shapes';
import { deploymentStages } from '@lilac/contract/states';
import { WaitTimedOut, type Deployment } from '@lilac/sdk';
import { z } from 'zod';
import { Refused } from './confirm.ts';
import type { ToolCall } from './define-tool.ts';
import { tail } from './shorten.ts';

/** What became of a deployment, or how far it is. */
export const deploymentOutcome = z.object({
  deployment_id: z.string(),
  ...deployment.pick({ environment_id: true, status: true, deployment_stage: true, commit_sha: true, error: true })
    .shape,
  is_live: z.boolean().describe('Whether this is what the environment serves.'),
  url: z.string().describe('The address of the environment.'),
  log_tail: z.array(z.string()).describe('The end of the build log.'),
  log_lines: z.int().describe('How many lines the build log has.'),
  next_step: z.string(),
});

export type DeploymentOutcome = z.output<typeof deploymentOutcome>;

const TAIL_LINES = 20;
const LONGER_TAIL_LINES = 60;

/** Waits for the end, but not longer than is wanted; what is not at its end then goes on. */
export async function followDeployment(
  call: ToolCall,
  deploymentId: string,
  waitSeconds: number,
): Promise<DeploymentOutcome> {
  return await describeOutcome(call, await waitFor(call, deploymentId, waitSeconds));
}

export async function describeOutcome(
  { lilac, targetOrganisationId, signal }: ToolCall,
  found: Deployment,
  tailLines?: number,
): Promise<DeploymentOutcome> {
  const body = { targetOrganisationId, environmentId: found.environment_id };
  const { url } = await lilac.call('environments.get', { body, signal });
  const { id, deployment_logs: lines } = found;
  const wanted = tailLines ?? (found.status === 'healthy' ? TAIL_LINES : LONGER_TAIL_LINES);
  return {
    ...found,
    deployment_id: id,
    url,
    log_tail: tail(lines, wanted),
    log_lines: lines.length,
    next_step: nextStep(found, url),
  };
}

/** What was released once stays healthy, also where the rollback to it came to nothing. */
export async function followRollback(
  call: ToolCall,
  deploymentId: string,
  waitSeconds: number,
): Promise<DeploymentOutcome> {
  const { lilac, targetOrganisationId, signal } = call;
  const found = await waitFor(call, deploymentId, waitSeconds);
  const outcome = await describeOutcome(call, found);
  if (found.status !== 'healthy' || found.is_live) return outcome;
  const body = { targetOrganisationId, environmentId: found.environment_id };
  const { live_deployment_id: served } = await lilac.call('environments.get', { body, signal });
  const error = cameToNothing(found)
    ? `The rollback came to nothing. ${found.deployment_logs.at(-1)?.replace(/^==> /, '') ?? ''}`.trim()
    : 'It was served again, and another release has taken its place since.';
  const now = served ? `${served} is served.` : 'Nothing is served.';
  return { ...outcome, error, next_step: `${error} ${now} Roll back again if it is still wanted.` };
}

async function waitFor(call: ToolCall, deploymentId: string, waitSeconds: number): Promise<Deployment> {
  const { lilac, targetOrganisationId, signal } = call;
  const get = () => lilac.call('deployments.get', { body: { targetOrganisationId, deploymentId }, signal });
  if (waitSeconds === 0) return await get();
  try {
    return await lilac.waitForDeployment(deploymentId, {
      targetOrganisationId,
      timeoutMs: waitSeconds * 1000,
      signal,
      onStatus: ({ status, deployment_stage: stage }) =>
        call.progress({
          step: deploymentStages.indexOf(stage) + 1,
          steps: deploymentStages.length,
          message: `${status}: ${stage}`,
        }),
    });
  } catch (error) {
    if (signal.aborted)
      throw new Refused(`The platform restarts. Deployment ${deploymentId} goes on: ask get_deployment.`);
    if (!(error instanceof WaitTimedOut)) throw error;
    return await get();
  }
}

function nextStep({ status, id, is_live: isLive }: Deployment, url: string): string {
  if (status === 'healthy') return isLive ? `It is served at ${url}.` : 'It was released, and another one is live now.';
  if (status === 'failed') {
    return 'It failed; what was served before is served still. Read error and log_tail, mend the cause, deploy again.';
  }
  if (status === 'cancelled') return 'It was cancelled. Deploy again if it is still wanted.';
  return `It is still under way. Call get_deployment with deploymentId ${id} in a while.`;
}
