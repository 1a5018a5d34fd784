import { z } from 'zod';
import { organisationActivityEntry } from '@lilac/contract/activity-shapes';
import { listOrganisations } from '../choose-organisation.ts';
import { defineTool } from '../define-tool.ts';
import { organisationField } from '../fields.ts';

const organisation = z.object({ id: z.string(), name: z.string(), role: z.string(), plan: z.string() });

export const organisationTools = [
  defineTool({
    name: 'list_organisations',
    title: 'List organisations',
    description:
      'List the organisations the person belongs to, with their role in each. The ids are what other tools take as organisationId.',
    access: 'read',
    input: z.object({}),
    output: z.object({
      organisations: z.array(organisation),
      note: z.string(),
    }),
    async run({ lilac, signal }) {
      const organisations = await listOrganisations(lilac, signal);
      if (organisations === null) {
        return { organisations: [], note: 'This is an API key: it has one organisation. Leave organisationId out.' };
      }
      const isOnly = organisations.length === 1;
      return {
        organisations,
        note: isOnly ? 'organisationId may be left out.' : 'Name one of these as organisationId in every call.',
      };
    },
  }),
  defineTool({
    name: 'get_activity',
    title: 'Show what was changed',
    description:
      'Show what was changed, by whom and when, newest first: of one environment, or of the whole organisation when environmentId is left out (a signed-in person only). Never shows values.',
    access: 'read',
    input: z.object({
      ...organisationField,
      environmentId: z.string().min(1).max(64).optional().describe('Left out: the whole organisation.'),
      limit: z.int().min(1).max(100).default(20),
      offset: z.int().min(0).default(0).describe('How many of the newest to skip.'),
    }),
    output: z.object({
      entries: z.array(
        organisationActivityEntry.partial({
          application_id: true,
          environment_id: true,
          database_id: true,
          deployment_id: true,
          subject: true,
        }),
      ),
    }),
    async run({ input: { environmentId, limit, offset }, lilac, targetOrganisationId, signal }) {
      const body = { targetOrganisationId, limit, offset };
      const entries = environmentId
        ? await lilac.call('environments.activity', { body: { ...body, environmentId }, signal })
        : await lilac.call('organisations.activity', { body, signal });
      return { entries };
    },
  }),
];
