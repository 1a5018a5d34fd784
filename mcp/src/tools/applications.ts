import { z } from 'zod';
import { applicationWithEnvironments, listedApplication } from '@lilac/contract/application-shapes';
import { defineTool } from '../define-tool.ts';
import { applicationId, confirmField, organisationField, pageCounts, pageFields, pageOutput } from '../fields.ts';
import { environmentSummary } from './environments.ts';

export const applicationTools = [
  defineTool({
    name: 'list_applications',
    title: 'List applications',
    description:
      'List the applications of an organisation, newest first, with status, address and the last deployment of production. Begin here to find ids.',
    access: 'read',
    input: z.object({
      ...organisationField,
      ...pageFields,
      filter: z.string().max(200).default('').describe('A part of the name; upper and lower case are the same.'),
    }),
    output: z.object({
      applications: z.array(
        listedApplication.pick({
          id: true,
          name: true,
          status: true,
          url: true,
          deployment_type: true,
          framework: true,
          source_type: true,
          production_environment_id: true,
          last_deployment: true,
        }),
      ),
      ...pageOutput,
    }),
    async run({ input: { page, limit, filter }, lilac, targetOrganisationId, signal }) {
      const answer = await lilac.call('applications.list', {
        body: { targetOrganisationId, page, limit, filter },
        signal,
      });
      return { applications: answer.items, ...pageCounts(answer) };
    },
  }),
  defineTool({
    name: 'get_application',
    title: 'Show an application',
    description:
      'Show an application with its settings and all its environments: id, branch, status, address, domain, and what is wrong. The ids of environments are what most other tools take.',
    access: 'read',
    input: z.object({ ...organisationField, applicationId }),
    output: z.object({
      application: applicationWithEnvironments.omit({ environments: true, slug: true }),
      environments: z.array(environmentSummary),
    }),
    async run({ input: { applicationId }, lilac, targetOrganisationId, signal }) {
      const input = { body: { targetOrganisationId, applicationId }, signal };
      const [application, environments] = await Promise.all([
        lilac.call('applications.get', input),
        lilac.call('environments.list', input),
      ]);
      return { application, environments };
    },
  }),
  defineTool({
    name: 'delete_application',
    title: 'Delete an application',
    description:
      'Delete an application with all its environments, for good. Its addresses stop at once. The person is asked first.',
    access: 'destroy',
    isIdempotent: true,
    input: z.object({ ...organisationField, applicationId, ...confirmField }),
    output: z.object({ deleted: z.string(), message: z.string() }),
    async run({ input: { applicationId }, lilac, targetOrganisationId, signal, confirm }) {
      const input = { body: { targetOrganisationId, applicationId }, signal };
      const { name, url, environments } = await lilac.call('applications.get', input);
      await confirm({
        name,
        consequence: `This deletes the application "${name}" (${url}) with ${environments.length} environment(s), for good.`,
        by: 'applications.delete',
      });
      const { message } = await lilac.call('applications.delete', input);
      return { deleted: applicationId, message };
    },
  }),
];
