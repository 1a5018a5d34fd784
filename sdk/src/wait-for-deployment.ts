import type { Client } from '@lilac/contract/client';
import { withDeadline } from './deadline.ts';
import type { Deployment } from './resources.ts';
import type { FollowDeploymentOptions } from './wait-options.ts';

/** In a path nothing can be left out: with an API key this stands for its own organisation. */
const OWN_ORGANISATION = '-';

/** Follows the deployment's own stream, over as many connections as it takes. */
export async function waitForDeployment(
  client: Client,
  deploymentId: string,
  options: FollowDeploymentOptions,
): Promise<Deployment> {
  const { targetOrganisationId, onStatus, onLog, fromLine } = options;
  return await withDeadline(`deployment ${deploymentId} to end`, options, async (signal) => {
    const events = client.stream('deployments.stream', {
      params: { targetOrganisationId: targetOrganisationId ?? OWN_ORGANISATION, deploymentId },
      query: { from: fromLine },
      signal,
    });
    for await (const { event, data } of events) {
      if (event === 'log') onLog?.(data.text, data.line);
      else if (event === 'status') onStatus?.(data);
      else break;
    }
    signal.throwIfAborted();
    return await client.call('deployments.get', { body: { targetOrganisationId, deploymentId }, signal });
  });
}
