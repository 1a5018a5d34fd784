import { z } from 'zod';
import { id, organisationFields, rangeFields, timestamp } from './common-shapes.ts';
import { deployment, deploymentWithLogs } from './deployment-shapes.ts';
import { destroys, endpoint, readOnly, writesIdempotently } from './endpoint.ts';
import { lastEventId } from './request-headers.ts';
import { inOrganisation, OWN_ORGANISATION } from './scopes.ts';

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
      ...rangeFields,
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
  'deployments.stream': endpoint({
    ...inOrganisation,
    method: 'GET',
    organisation: 'params.targetOrganisationId',
    resource: { kind: 'deployment', field: 'deploymentId', in: 'params' },
    path: '/api/deployments/:targetOrganisationId/:deploymentId/stream',
    summary: 'Follow a deployment: its build log and its stages, until it has ended',
    description:
      'Server-sent events: `log` for every line of the build log, `status` at once and at every change while it is under ' +
      'way. When it has ended: the rest of the lines, its last `status`, then `done`, and the stream ends: do not come back ' +
      'after that. Whoever lost the connection before comes back with `Last-Event-ID` and gets what came after it, with no ' +
      'gap and nothing twice; `from` counts for nothing then. The other rules are those of `logs.stream`.',
    permission: 'read:projects',
    params: z.object({
      targetOrganisationId: id.meta({ description: `with an API key also ${OWN_ORGANISATION}: its own` }),
      deploymentId: id,
    }),
    query: z.object({
      from: z.coerce.number().default(0).meta({
        description: 'the number of the line to begin with, 0 for the first; negative: so many from the end',
      }),
    }),
    headers: [lastEventId],
    needsLiveSession: true,
    stream: true,
    output: z.object({
      log: z.object({ line: z.int().meta({ description: 'its number; 0 is the first' }), text: z.string() }),
      status: deployment
        .pick({ status: true, deployment_stage: true, is_live: true })
        .extend({ at: timestamp.meta({ description: 'since when' }) }),
      done: deployment.pick({ status: true, error: true }),
    }),
    cli: null,
    mcp: null,
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
    description:
      'What is served stays as it is. One that is being built, started or checked is cancelled as soon as its ' +
      'processes have stopped; what was live before, and was to be served again, becomes healthy again. A ' +
      'deployment that visitors are being switched to, or that has ended, is answered with a conflict.',
    permission: 'update:projects',
    body: z.object({ ...organisationFields, deploymentId: id }),
    output: deployment.pick({ id: true, environment_id: true, status: true, commit_sha: true }),
    cli: ['deployments', 'cancel'],
    mcp: destroys,
    errors: ['CF001'],
  }),
};
