import { z } from 'zod';
import { activityEntry } from './activity-shapes.ts';
import { id, message, name, organisationFields, rangeFields } from './common-shapes.ts';
import {
  branch,
  CPU,
  DOMAIN_OF_YOURS,
  hostname,
  MEMORY,
  projectFields,
  region,
  runFields,
  scaleFields,
  variables,
  variablesPatch,
} from './deploy-settings.ts';
import { connectedDatabase } from './database-shapes.ts';
import { deployment } from './deployment-shapes.ts';
import { destroys, endpoint, readOnly, writes, writesIdempotently } from './endpoint.ts';
import { environment, environmentWithVariables } from './environment-shapes.ts';
import { forAnybody, inOrganisation } from './scopes.ts';

const ofApplication = { ...inOrganisation, resource: { kind: 'application', field: 'applicationId' } } as const;
const addressed = { ...inOrganisation, resource: { kind: 'environment', field: 'environmentId' } } as const;

const AS_THE_APPLICATION = 'null: as the application has it';

/** What nothing in the schema says together makes a call: these are shown whole. */
const EXAMPLE_ID = 'env_01jd8q7v9me6n4x2k5t3w8ya7c';

export const environments = {
  'environments.list': endpoint({
    ...ofApplication,
    path: '/api/environments',
    summary: "List an application's environments, production first",
    permission: 'read:projects',
    body: z.object({ ...organisationFields, applicationId: id }),
    output: z.array(environment),
    cli: ['envs', 'list'],
    mcp: readOnly,
  }),
  'environments.get': endpoint({
    ...addressed,
    path: '/api/environments/get',
    summary: 'Show an environment with its variables',
    permission: 'read:projects',
    body: z.object({ ...organisationFields, environmentId: id }),
    output: environmentWithVariables,
    cli: ['envs', 'get'],
    mcp: readOnly,
  }),
  'environments.status': endpoint({
    ...addressed,
    path: '/api/environments/status',
    summary: "Show an environment's status; cheap enough to poll",
    permission: 'read:projects',
    body: z.object({ ...organisationFields, environmentId: id }),
    output: environment.pick({ id: true, status: true }),
    cli: ['envs', 'status'],
    mcp: readOnly,
  }),
  'environments.create': endpoint({
    ...ofApplication,
    path: '/api/environments/create',
    summary: 'Add an environment for another branch',
    description:
      'Nothing is built until it is deployed. Where the source is an upload, the branch is a label only: what is ' +
      'deployed is an archive.',
    permission: 'create:projects',
    body: z.object({
      ...organisationFields,
      applicationId: id,
      name: name.meta({ description: 'part of the URL' }),
      vcsBranch: branch.meta({ description: 'the branch it tracks; the repository must have it' }),
      isProduction: z.boolean().default(false).meta({
        description: 'an application is created with its only production environment: true is a conflict',
      }),
      autoDeploy: z.boolean().optional().meta({ description: 'deploy on every push' }),
      buildCommand: projectFields.buildCommand.optional(),
      outputDirectory: projectFields.outputDirectory.optional(),
      environmentVars: variables.optional(),
      containerPort: runFields.containerPort.optional(),
      memory: runFields.memory.optional(),
      cpu: runFields.cpu.optional(),
      minInstances: scaleFields.minInstances.default(0),
      maxInstances: scaleFields.maxInstances.default(10),
      customDomain: hostname.optional().meta({ description: DOMAIN_OF_YOURS }),
    }),
    status: 201,
    output: environment.pick({
      id: true,
      application_id: true,
      name: true,
      vcs_branch: true,
      is_production: true,
      status: true,
      url: true,
    }),
    cli: ['envs', 'create'],
    mcp: writes,
    errors: ['CF001', 'VA003', 'SV002'],
  }),
  'environments.update': endpoint({
    ...addressed,
    path: '/api/environments/update',
    summary: "Change an environment's settings or variables",
    description:
      '`environmentVars` replaces the whole set; `environmentVarsPatch` changes those it names, whatever others change ' +
      'at the same time. Give one of the two. Variables apply on the next build. ' +
      'Renaming changes the address, except that of production, which follows the name of the application. ' +
      'Null goes back to what the application has.',
    permission: 'update:projects',
    body: z.object({
      ...organisationFields,
      environmentId: id,
      name: name.optional().meta({ description: 'renaming changes the URL' }),
      buildCommand: projectFields.buildCommand.nullable().optional().meta({ description: AS_THE_APPLICATION }),
      outputDirectory: projectFields.outputDirectory
        .nullable()
        .optional()
        .meta({ description: `static only; ${AS_THE_APPLICATION}` }),
      environmentVars: variables.optional(),
      environmentVarsPatch: variablesPatch.optional(),
      containerPort: runFields.containerPort
        .nullable()
        .optional()
        .meta({ description: `container only; ${AS_THE_APPLICATION}` }),
      memory: runFields.memory
        .nullable()
        .optional()
        .meta({ description: `${MEMORY}; ${AS_THE_APPLICATION}` }),
      cpu: runFields.cpu
        .nullable()
        .optional()
        .meta({ description: `${CPU}; ${AS_THE_APPLICATION}` }),
      minInstances: scaleFields.minInstances.optional(),
      maxInstances: scaleFields.maxInstances.optional(),
      region: region
        .nullable()
        .optional()
        .meta({ description: `one of those that config/platform lists; ${AS_THE_APPLICATION}` }),
      customDomain: hostname
        .nullable()
        .optional()
        .meta({ description: `${DOMAIN_OF_YOURS}; null takes it away` }),
      autoDeploy: z.boolean().optional().meta({ description: 'deploy on every push' }),
    }),
    output: environment,
    cli: ['envs', 'update'],
    mcp: writesIdempotently,
    errors: ['CF001'],
  }),
  'environments.scale': endpoint({
    ...addressed,
    path: '/api/environments/scale',
    summary: 'Set between how many instances an environment runs',
    description:
      'Takes effect at once, without a build. `minInstances` above 0 keeps instances warm. Give at least one.',
    permission: 'update:projects',
    body: z
      .object({
        ...organisationFields,
        environmentId: id,
        minInstances: scaleFields.minInstances.optional(),
        maxInstances: scaleFields.maxInstances.optional(),
      })
      .meta({ examples: [{ environmentId: EXAMPLE_ID, minInstances: 1, maxInstances: 5 }] }),
    output: environment.pick({ id: true, min_instances: true, max_instances: true }),
    cli: ['envs', 'scale'],
    mcp: writesIdempotently,
    errors: ['CF001'],
  }),
  'environments.password': endpoint({
    ...addressed,
    path: '/api/environments/password',
    summary: 'Protect an environment with a password, or open it again',
    description:
      'Whoever opens a protected address is asked for the password first. A new password shuts out everybody who ' +
      'came in with the old one. Takes effect at once.',
    permission: 'update:projects',
    body: z
      .object({
        ...organisationFields,
        environmentId: id,
        enabled: z.boolean().meta({ description: 'whether visitors are asked for the password' }),
        password: z.string().min(1).max(256).optional().meta({ description: 'required when enabling' }),
      })
      .meta({ examples: [{ environmentId: EXAMPLE_ID, enabled: true, password: 'correct horse battery staple' }] }),
    output: environment.pick({ id: true, password_protected: true }),
    cli: ['envs', 'password'],
    mcp: writesIdempotently,
    errors: ['CF001'],
  }),
  'environments.access-log': endpoint({
    ...addressed,
    path: '/api/environments/access-log',
    summary: 'Write a line into the log for every request, or stop that',
    description: 'Takes effect at once. A line says method, path, status and duration.',
    permission: 'update:projects',
    body: z
      .object({
        ...organisationFields,
        environmentId: id,
        enabled: z.boolean().meta({ description: 'whether requests are written down' }),
      })
      .meta({ examples: [{ environmentId: EXAMPLE_ID, enabled: true }] }),
    output: environment.pick({ id: true, access_log: true }),
    cli: ['envs', 'access-log'],
    mcp: writesIdempotently,
    errors: ['CF001'],
  }),
  'environments.unlock': endpoint({
    ...forAnybody,
    path: '/api/environments/unlock',
    summary: 'Open a protected environment with its password',
    description:
      'Sets a cookie for the host of the environment. Ten wrong passwords in 15 minutes, from one address for one ' +
      'environment, and no more are taken for a while.',
    body: z.object({ environmentId: id, password: z.string().min(1).max(256) }),
    output: z.object({ unlocked: z.literal(true) }),
    errors: ['CA009', 'CA012', 'NF001'],
  }),
  'environments.deploy': endpoint({
    ...addressed,
    path: '/api/environments/deploy',
    summary: "Build and release the head of the environment's branch, or an archive",
    description: 'Returns at once; poll the deployment for the outcome.',
    permission: 'update:projects',
    body: z.object({
      ...organisationFields,
      environmentId: id,
      uploadId: id.optional().meta({ description: 'a new archive, where the source is an upload' }),
    }),
    output: deployment.pick({ id: true, environment_id: true, status: true, commit_sha: true, started_at: true }),
    cli: ['envs', 'deploy'],
    mcp: writes,
    errors: ['CF001'],
  }),
  'environments.delete': endpoint({
    ...addressed,
    path: '/api/environments/delete',
    summary: 'Delete an environment; production goes only with its application',
    permission: 'delete:projects',
    body: z.object({ ...organisationFields, environmentId: id }),
    output: message,
    cli: ['envs', 'delete'],
    mcp: destroys,
    errors: ['CF001'],
  }),
  'environments.databases': endpoint({
    ...addressed,
    path: '/api/environments/databases',
    summary: 'List the databases that an environment is connected to, by their variables',
    description:
      'Each variable holds the address of its database from the next release on. It is none of the variables that ' +
      'the environment itself has.',
    permission: 'read:projects',
    body: z.object({ ...organisationFields, environmentId: id }),
    output: z.array(connectedDatabase),
    cli: ['envs', 'databases'],
    mcp: readOnly,
  }),
  'environments.activity': endpoint({
    ...addressed,
    path: '/api/environments/activity',
    summary: 'List what was changed, by whom and when, newest first',
    permission: 'read:projects',
    body: z.object({
      ...organisationFields,
      environmentId: id,
      ...rangeFields,
    }),
    output: z.array(activityEntry),
    cli: ['envs', 'activity'],
    mcp: readOnly,
  }),
};
