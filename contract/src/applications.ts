import { z } from 'zod';
import { endpoint, readOnly, writesIdempotently } from './endpoint.ts';
import {
  application,
  applicationWithEnvironments,
  id,
  organisationFields,
  pageOf,
  paginationFields,
} from './resources.ts';
import { inOrganisation } from './scopes.ts';

const addressed = { ...inOrganisation, resource: { kind: 'application', field: 'applicationId' } } as const;

export const applications = {
  'applications.list': endpoint({
    ...inOrganisation,
    path: '/api/applications',
    summary: 'List applications, newest first',
    permission: 'read:projects',
    body: z.object({ ...organisationFields, ...paginationFields }),
    output: pageOf(application),
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
  }),
};
