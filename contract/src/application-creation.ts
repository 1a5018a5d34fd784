import { z } from 'zod';
import { application } from './application-shapes.ts';
import { id, name, organisationFields } from './common-shapes.ts';
import {
  branch,
  DOMAIN_OF_YOURS,
  hostname,
  projectFields,
  pushFields,
  region,
  runFields,
  scaleFields,
  variables,
} from './deploy-settings.ts';
import { endpoint, writes } from './endpoint.ts';
import { inOrganisation } from './scopes.ts';
import { gitProviders } from './states.ts';
import { NAMES_OF_PROVIDERS } from './vcs-shapes.ts';

/** How it is built, where that is not left to detection. */
const buildFields = {
  runtime: projectFields.runtime.optional(),
  buildCommand: projectFields.buildCommand.optional(),
  outputDirectory: projectFields.outputDirectory.optional(),
  startCommand: projectFields.startCommand.optional(),
  rootDirectory: projectFields.rootDirectory.optional(),
  environmentVars: variables.optional(),
};

/** The two ways to a new application: from a repository, and from an archive. */
export const applicationCreation = {
  'applications.create': endpoint({
    ...inOrganisation,
    path: '/api/applications/create',
    summary: 'Create an application from a repository and start its first build',
    description:
      'Not idempotent: after a timeout, list before you try again. The production environment is created with it. ' +
      'What is for containers only is kept on a static application too, and has no effect there.',
    permission: 'create:projects',
    body: z.object({
      ...organisationFields,
      name,
      vcsRepoUrl: z.string().min(1).max(2048).meta({ description: 'must be reachable' }),
      gitProvider: z
        .enum(gitProviders)
        .optional()
        .meta({ description: `${NAMES_OF_PROVIDERS}; implied by the URL` }),
      provider2ProjectId: z.int().min(1).optional().meta({ description: 'resolved from the URL when left out' }),
      provider3RepoUuid: z.string().max(64).optional().meta({ description: 'resolved from the URL when left out' }),
      vcsBranch: branch.default('main').meta({ description: 'the production branch' }),
      isPrivate: z
        .boolean()
        .default(false)
        .meta({ description: 'needs an installation or a connection of the organisation that reaches it' }),
      projectId: id.optional().meta({ description: 'the folder to file it under' }),
      deploymentType: projectFields.deploymentType.default('static'),
      framework: projectFields.framework.optional().meta({
        description: 'react until detection has looked; config/platform lists those that are known',
      }),
      ...buildFields,
      containerPort: runFields.containerPort.optional(),
      memory: runFields.memory.default('512Mi'),
      cpu: runFields.cpu.optional(),
      minInstances: scaleFields.minInstances.default(0),
      maxInstances: scaleFields.maxInstances.default(10),
      concurrency: z.int().min(1).max(1000).default(80).meta({ description: 'requests per instance' }),
      cpuTarget: z.int().min(1).max(100).default(80).meta({ description: 'percentage that triggers scale-up' }),
      region: region.optional(),
      customDomain: hostname.optional().meta({ description: DOMAIN_OF_YOURS }),
      ...pushFields,
    }),
    status: 201,
    output: application.pick({ id: true, name: true, status: true, url: true }),
    cli: ['apps', 'create'],
    mcp: writes,
    errors: ['CF001', 'VA003', 'NF001', 'FF001', 'SV002'],
  }),
  'applications.create-from-upload': endpoint({
    ...inOrganisation,
    path: '/api/applications/create-from-upload',
    summary: 'Create an application from an uploaded archive and start its first build',
    permission: 'create:projects',
    resource: { kind: 'upload', field: 'uploadId' },
    body: z.object({
      ...organisationFields,
      name,
      uploadId: id.meta({ description: 'of an upload that was completed' }),
      deploymentType: projectFields.deploymentType,
      projectId: id.optional().meta({ description: 'the folder to file it under' }),
      framework: projectFields.framework
        .optional()
        .meta({ description: 'overrides detection; config/platform lists those that are known' }),
      ...buildFields,
    }),
    status: 201,
    output: application.pick({ id: true, name: true, source_type: true, status: true, url: true }),
    cli: ['apps', 'create-from-upload'],
    mcp: writes,
    errors: ['CF001', 'NF001'],
  }),
};
