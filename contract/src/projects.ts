import { z } from 'zod';
import { id, message, name, organisationFields, pageOf, paginationFields } from './common-shapes.ts';
import { destroys, endpoint, readOnly, writes, writesIdempotently } from './endpoint.ts';
import { project } from './organisation-shapes.ts';
import { inOrganisation } from './scopes.ts';
import { sortColumns } from './sort-columns.ts';

const addressed = { ...inOrganisation, resource: { kind: 'project', field: 'projectId' } } as const;

export const projects = {
  'projects.list': endpoint({
    ...inOrganisation,
    path: '/api/projects',
    summary: 'List folders',
    permission: 'read:projects',
    body: z.object({ ...organisationFields, ...paginationFields(sortColumns.projects) }),
    output: pageOf(project),
    cli: ['folders', 'list'],
    mcp: readOnly,
  }),
  'projects.create': endpoint({
    ...inOrganisation,
    path: '/api/projects/create',
    summary: 'Create a folder',
    permission: 'create:projects',
    body: z.object({ ...organisationFields, name }),
    status: 201,
    output: project,
    cli: ['folders', 'create'],
    mcp: writes,
    errors: ['CF001'],
  }),
  'projects.rename': endpoint({
    ...addressed,
    path: '/api/projects/rename',
    summary: 'Rename a folder',
    permission: 'update:projects',
    body: z.object({ ...organisationFields, projectId: id, name }),
    output: project,
    cli: ['folders', 'rename'],
    mcp: writesIdempotently,
    errors: ['CF001'],
  }),
  'projects.delete': endpoint({
    ...addressed,
    path: '/api/projects/delete',
    summary: 'Delete a folder; what it holds moves to the root',
    permission: 'delete:projects',
    body: z.object({ ...organisationFields, projectId: id }),
    output: message,
    cli: ['folders', 'delete'],
    mcp: destroys,
  }),
};
