import { z } from 'zod';
import { applicationCreation } from './application-creation.ts';
import { application, applicationWithEnvironments, listedApplication } from './application-shapes.ts';
import { id, message, name, organisationFields, pageOf, paginationFields } from './common-shapes.ts';
import { branch, projectFields, pushFields } from './deploy-settings.ts';
import { deployment } from './deployment-shapes.ts';
import { destroys, endpoint, readOnly, writes, writesIdempotently } from './endpoint.ts';
import { inOrganisation } from './scopes.ts';
import { sortColumns } from './sort-columns.ts';
import { gitProviders } from './states.ts';
import { detectedProject } from './upload-shapes.ts';
import { NAMES_OF_PROVIDERS, ofRepository } from './vcs-shapes.ts';

const addressed = { ...inOrganisation, resource: { kind: 'application', field: 'applicationId' } } as const;

const repositoryFields = {
  owner: ofRepository.shape.owner,
  repo: ofRepository.shape.repo,
  gitProvider: z.enum(gitProviders).optional().meta({ description: NAMES_OF_PROVIDERS }),
};

export const applications = {
  'applications.list': endpoint({
    ...inOrganisation,
    path: '/api/applications',
    summary: 'List applications, newest first',
    permission: 'read:projects',
    body: z.object({ ...organisationFields, ...paginationFields(sortColumns.applications) }),
    output: pageOf(listedApplication),
    cli: ['apps', 'list'],
    mcp: readOnly,
  }),
  'applications.get': endpoint({
    ...addressed,
    path: '/api/applications/get',
    summary: 'Show an application and its environments',
    permission: 'read:projects',
    body: z.object({ ...organisationFields, applicationId: id }),
    output: applicationWithEnvironments,
    cli: ['apps', 'get'],
    mcp: readOnly,
  }),
  'applications.status': endpoint({
    ...addressed,
    path: '/api/applications/status',
    summary: "Show an application's status; cheap enough to poll",
    permission: 'read:projects',
    body: z.object({ ...organisationFields, applicationId: id }),
    output: application.pick({ id: true, status: true, url: true }),
    cli: ['apps', 'status'],
    mcp: readOnly,
  }),
  'applications.detect-framework': endpoint({
    ...inOrganisation,
    path: '/api/applications/detect-framework',
    summary: 'Tell how a repository would be built',
    permission: 'read:projects',
    body: z.object({
      ...organisationFields,
      ...repositoryFields,
      branch: branch.meta({ description: 'one of its branches' }),
      rootDirectory: projectFields.rootDirectory.optional(),
    }),
    output: detectedProject,
    cli: ['apps', 'detect'],
    mcp: readOnly,
    errors: ['VA003', 'FF001', 'SV002'],
  }),
  ...applicationCreation,
  'applications.deploy': endpoint({
    ...addressed,
    path: '/api/applications/deploy',
    summary: 'Build and release the head of the branch, or an archive',
    description: 'Returns at once; poll the deployment for the outcome.',
    permission: 'update:projects',
    body: z.object({
      ...organisationFields,
      applicationId: id,
      environmentId: id.optional().meta({ description: 'production when left out' }),
      uploadId: id.optional().meta({ description: 'a new archive, where the source is an upload' }),
    }),
    output: deployment.pick({ id: true, environment_id: true, status: true, commit_sha: true, started_at: true }),
    cli: ['apps', 'deploy'],
    mcp: writes,
    errors: ['CF001'],
  }),
  'applications.update': endpoint({
    ...addressed,
    path: '/api/applications/update',
    summary: 'Change what a push does, or which repository is deployed',
    description:
      'Give at least one; what is left out stays. `autoDeployOnPush` switches production along with it, ' +
      '`autoDeployBranches` replaces the whole list, and an empty one ends it; a list while `autoDeployOnPush` is off is a ' +
      'conflict, since an update turns nothing on by itself. Environments that are there stay. `vcsRepoUrl` must be ' +
      'reachable and have the branch; what is served stays until the next deployment.',
    permission: 'update:projects',
    body: z.object({
      ...organisationFields,
      applicationId: id,
      ...pushFields,
      vcsRepoUrl: z
        .string()
        .min(1)
        .max(2048)
        .optional()
        .meta({ description: 'another repository, or that the one which has this name now is meant' }),
    }),
    output: applicationWithEnvironments,
    cli: ['apps', 'update'],
    mcp: writesIdempotently,
    errors: ['CF001', 'VA003', 'FF001', 'SV002'],
  }),
  'applications.rename': endpoint({
    ...addressed,
    path: '/api/applications/rename',
    summary: 'Rename an application; its address changes and the old one stops',
    permission: 'update:projects',
    body: z.object({ ...organisationFields, applicationId: id, name }),
    output: application.pick({ id: true, name: true, url: true }),
    cli: ['apps', 'rename'],
    mcp: writesIdempotently,
    errors: ['CF001'],
  }),
  'applications.move': endpoint({
    ...addressed,
    path: '/api/applications/move',
    summary: 'File an application under another folder',
    permission: 'update:projects',
    body: z.object({
      ...organisationFields,
      applicationId: id,
      targetFolderId: id.nullable().meta({ description: 'null for the root' }),
    }),
    output: z.object({ id, project_id: id.nullable() }),
    cli: ['apps', 'move'],
    mcp: writesIdempotently,
    errors: ['CF001'],
  }),
  'applications.delete': endpoint({
    ...addressed,
    path: '/api/applications/delete',
    summary: 'Delete an application with every environment; it cannot be undone',
    description: 'Its addresses stop at once; it is shown as `deleting` until everything of it is gone.',
    permission: 'delete:projects',
    body: z.object({ ...organisationFields, applicationId: id }),
    output: message,
    cli: ['apps', 'delete'],
    mcp: destroys,
  }),
  'applications.list-repo-directories': endpoint({
    ...inOrganisation,
    path: '/api/applications/list-repo-directories',
    summary: 'List the folders of a repository, one level at a time',
    permission: 'read:projects',
    body: z.object({
      ...organisationFields,
      ...repositoryFields,
      branch,
      path: projectFields.rootDirectory.optional().meta({ description: 'the root when left out' }),
    }),
    output: z.object({ directories: z.array(z.string()) }),
    cli: null,
    mcp: readOnly,
    errors: ['VA003', 'NF001', 'FF001', 'SV002'],
  }),
  'applications.public-branches': endpoint({
    ...inOrganisation,
    path: '/api/applications/public-branches',
    summary: 'List the branches of a public repository',
    permission: 'read:projects',
    body: z.object({
      ...organisationFields,
      owner: repositoryFields.owner.optional(),
      repo: repositoryFields.repo.optional(),
      gitProvider: repositoryFields.gitProvider,
      vcsRepoUrl: z.string().min(1).max(2048).optional().meta({ description: 'in place of owner and repo' }),
    }),
    output: z.array(z.object({ name: z.string(), commit_sha: z.string() })),
    cli: null,
    mcp: readOnly,
    errors: ['VA003', 'FF001', 'SV002'],
  }),
  'applications.lookup': endpoint({
    ...inOrganisation,
    method: 'GET',
    organisation: 'query.targetOrganisationId',
    path: '/api/applications/lookup/:subdomain',
    summary: 'Find the application that answers at a subdomain',
    permission: 'read:projects',
    query: z.object(organisationFields),
    params: z.object({ subdomain: z.string().min(1).max(63) }),
    output: z.object({ id, name: z.string(), environment_id: id, url: z.string() }),
    cli: null,
    mcp: readOnly,
    errors: ['NF001'],
  }),
};
