import { z } from 'zod';
import { deployment } from '@lilac/contract/deployment-shapes';
import { defineTool } from '../define-tool.ts';
import { deploymentOutcome, describeOutcome, followDeployment, followRollback } from '../deployment-outcome.ts';
import { deploymentId, environmentId, organisationField, waitField } from '../fields.ts';

export const deploymentTools = [
  defineTool({
    name: 'deploy_environment',
    title: 'Deploy an environment',
    description:
      "Build and release the head of an environment's branch, wait for the end, and answer what became of it with the end of the build log. Where the source is not a repository, the last archive is built again.",
    access: 'write',
    overwrites: true,
    looksOutside: true,
    input: z.object({ ...organisationField, environmentId, ...waitField }),
    output: deploymentOutcome,
    async run(call) {
      const { lilac, targetOrganisationId, signal } = call;
      const { environmentId, waitSeconds } = call.input;
      const { id } = await lilac.call('environments.deploy', {
        body: { targetOrganisationId, environmentId },
        signal,
      });
      return await followDeployment(call, id, waitSeconds);
    },
  }),
  defineTool({
    name: 'list_deployments',
    title: 'List deployments',
    description:
      'List the deployments of an environment, newest first: status, commit, whether it is live, and whether one can roll back to it. The last 20 are kept.',
    access: 'read',
    input: z.object({
      ...organisationField,
      environmentId,
      limit: z.int().min(1).max(20).default(10),
      offset: z.int().min(0).default(0),
    }),
    output: z.object({
      deployments: z.array(deployment.omit({ stages: true, first_run: true, environment_id: true })),
    }),
    async run({ input: { environmentId, limit, offset }, lilac, targetOrganisationId, signal }) {
      const body = { targetOrganisationId, environmentId, limit, offset };
      return { deployments: await lilac.call('deployments.list', { body, signal }) };
    },
  }),
  defineTool({
    name: 'get_deployment',
    title: 'Show a deployment',
    description:
      'Show a deployment: status, stage, why it failed, and the end of its build log. To wait for one that is under way, give waitSeconds.',
    access: 'read',
    input: z.object({
      ...organisationField,
      deploymentId,
      waitSeconds: waitField.waitSeconds.unwrap().default(0).describe('How long to wait for its end. 0: not at all.'),
      logLines: z.int().min(0).max(500).default(40).describe('How many lines of the end of the build log to show.'),
    }),
    output: deploymentOutcome.extend({ started_at: z.string(), completed_at: z.string().nullable() }),
    async run(call) {
      const { lilac, targetOrganisationId, signal } = call;
      const { deploymentId, waitSeconds, logLines } = call.input;
      if (waitSeconds > 0) await followDeployment(call, deploymentId, waitSeconds);
      const found = await lilac.call('deployments.get', { body: { targetOrganisationId, deploymentId }, signal });
      return { ...found, ...(await describeOutcome(call, found, logLines)) };
    },
  }),
  defineTool({
    name: 'rollback_deployment',
    title: 'Roll back to a deployment',
    description:
      'Serve an earlier deployment of an environment again, without a build. It has come about only where is_live is true. list_deployments says which can be (can_rollback). The next deployment goes forward as usual.',
    access: 'write',
    overwrites: true,
    isIdempotent: true,
    input: z.object({ ...organisationField, environmentId, deploymentId, ...waitField }),
    output: deploymentOutcome,
    async run(call) {
      const { lilac, targetOrganisationId, signal } = call;
      const { environmentId, deploymentId, waitSeconds } = call.input;
      await lilac.call('deployments.rollback', { body: { targetOrganisationId, environmentId, deploymentId }, signal });
      return await followRollback(call, deploymentId, waitSeconds);
    },
  }),
  defineTool({
    name: 'cancel_deployment',
    title: 'Cancel a deployment',
    description: 'Stop a deployment that has not been released yet. What is served stays as it is.',
    access: 'write',
    overwrites: true,
    isIdempotent: true,
    input: z.object({ ...organisationField, deploymentId }),
    output: deployment.pick({ id: true, environment_id: true, status: true }),
    async run({ input: { deploymentId }, lilac, targetOrganisationId, signal }) {
      return await lilac.call('deployments.cancel', { body: { targetOrganisationId, deploymentId }, signal });
    },
  }),
];
