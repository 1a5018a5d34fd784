import type { ToolCall } from './define-tool.ts';
import { followDeployment, type DeploymentOutcome } from './deployment-outcome.ts';

/** A new application begins with a deployment of production. */
export async function followFirstDeployment(
  call: ToolCall,
  applicationId: string,
  waitSeconds: number,
): Promise<DeploymentOutcome & { application_id: string }> {
  const { lilac, targetOrganisationId, signal } = call;
  const { environments } = await lilac.call('applications.get', {
    body: { targetOrganisationId, applicationId },
    signal,
  });
  const { id: environmentId } = environments.find((environment) => environment.is_production)!;
  const [first] = await lilac.call('deployments.list', {
    body: { targetOrganisationId, environmentId, limit: 1 },
    signal,
  });
  return { ...(await followDeployment(call, first!.id, waitSeconds)), application_id: applicationId };
}
