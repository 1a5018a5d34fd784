import { z } from 'zod';
import { destroys, endpoint, readOnly, writesIdempotently } from './endpoint.ts';
import { deployment, deploymentWithLogs, id, organisationFields } from './resources.ts';
import { inOrganisation } from './scopes.ts';

const ofEnvironment = { ...inOrganisation, resource: { kind: 'environment', field: 'environmentId' } } as const;
const addressed = { ...inOrganisation, resource: { kind: 'deployment', field: 'deploymentId' } } as const;

export const deployments = {
  'deployments.list': endpoint({
    ...ofEnvironment,
    path: '/api/deployments',
    summary: "List an environment's deployments, newest first; the last 20 are kept",
    permission: 'read:projects',
    body: z.object({
      ...organisationFields,
      environmentId: id,
      limit: z.number().default(20).meta({ description: '1 to 100; clamped' }),
      offset: z.number().default(0).meta({ description: 'clamped' }),
    }),
    output: z.array(deployment),
    cli: ['deployments', 'list'],
    mcp: readOnly,
  }),
  'deployments.get': endpoint({
    ...addressed,
    path: '/api/deployments/get',
    summary: 'Show a deployment with its build log',
    permission: 'read:projects',
    body: z.object({ ...organisationFields, deploymentId: id }),
    output: deploymentWithLogs,
    cli: ['deployments', 'get'],
    mcp: readOnly,
  }),
  'deployments.rollback': endpoint({
    ...ofEnvironment,
    path: '/api/deployments/rollback',
    summary: 'Serve an earlier deployment again, without a build',
    description:
      'One of the last 10 successful deployments. The branch is still tracked: the next deploy goes forward.',
    permission: 'update:projects',
    body: z.object({ ...organisationFields, environmentId: id, deploymentId: id }),
    output: deployment.pick({ id: true, environment_id: true, status: true, commit_sha: true }),
    cli: ['deployments', 'rollback'],
    mcp: writesIdempotently,
    errors: ['NF001', 'CF001'],
  }),
  'deployments.cancel': endpoint({
    ...addressed,
    path: '/api/deployments/cancel',
    summary: 'Stop a deployment that has not been released yet',
    description: 'What is served stays as it is. A deployment that has ended already is answered with a conflict.',
    permission: 'update:projects',
    body: z.object({ ...organisationFields, deploymentId: id }),
    output: deployment.pick({ id: true, environment_id: true, status: true, commit_sha: true }),
    cli: ['deployments', 'cancel'],
    mcp: destroys,
    errors: ['CF001'],
  }),
};
