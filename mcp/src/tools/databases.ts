import { database, databaseLink, storageGb } from '@lilac/contract/database-shapes';
import { databaseTypes } from '@lilac/contract/states';
import { z } from 'zod';
import { Refused } from '../confirm.ts';
import { defineTool } from '../define-tool.ts';
import { confirmField, databaseId, organisationField, pageCounts, pageFields, pageOutput } from '../fields.ts';
import { inOwnWords } from '../in-own-words.ts';
import { describeLinks } from './database-links.ts';

export const databaseTools = [
  defineTool({
    name: 'list_databases',
    title: 'List databases',
    description: 'List the databases of an organisation, newest first. Never shows passwords.',
    access: 'read',
    input: z.object({ ...organisationField, ...pageFields, filter: z.string().max(200).default('') }),
    output: z.object({
      databases: z.array(
        database.pick({
          id: true,
          name: true,
          database_type: true,
          version: true,
          tier: true,
          storage_gb: true,
          status: true,
          error: true,
        }),
      ),
      ...pageOutput,
    }),
    async run({ input: { page, limit, filter }, lilac, targetOrganisationId, signal }) {
      const answer = await lilac.call('databases.list', {
        body: { targetOrganisationId, page, limit, filter },
        signal,
      });
      return { databases: answer.items, ...pageCounts(answer) };
    },
  }),
  defineTool({
    name: 'get_database',
    title: 'Show a database',
    description: 'Show a database and the environments it is connected to. Never shows its password.',
    access: 'read',
    input: z.object({ ...organisationField, databaseId }),
    output: z.object({ database, connected_to: z.array(databaseLink.pick({ environment_id: true, variable: true })) }),
    async run({ input: { databaseId }, lilac, targetOrganisationId, signal }) {
      const input = { body: { targetOrganisationId, databaseId }, signal };
      const [found, links] = await Promise.all([
        lilac.call('databases.get', input),
        lilac.call('databases.links', input),
      ]);
      return { database: found, connected_to: links };
    },
  }),
  defineTool({
    name: 'create_database',
    title: 'Create a database',
    description:
      'Create a PostgreSQL or MySQL server of its own. Answers at once; ask get_database until its status is healthy, then connect_database gives an environment its address.',
    access: 'write',
    input: z.object({
      ...organisationField,
      name: z.string().min(1).max(100),
      databaseType: z.enum(databaseTypes).default('postgresql'),
      tier: z
        .string()
        .max(40)
        .default('db-f1-micro')
        .describe('db-f1-micro or db-g1-small (shared), or db-custom-<vCPU>-<memoryMB> (dedicated).'),
      storageGb: storageGb.default(10).describe('Grows later, never shrinks.'),
      publicIpEnabled: z.boolean().default(true).describe("false: only the organisation's own applications reach it."),
    }),
    output: database.pick({ id: true, name: true, database_type: true, tier: true, status: true }),
    async run({ input: settings, lilac, targetOrganisationId, signal }) {
      return await lilac.call('databases.create', { body: { targetOrganisationId, ...settings }, signal });
    },
  }),
  defineTool({
    name: 'get_database_connection_string',
    title: 'Reveal the address of a database with its password',
    description:
      'Show the connection string of a database, password included. Call it only when the person asks for it; an environment gets it by connect_database, and query_database needs none.',
    access: 'secret',
    isIdempotent: true,
    input: z.object({ ...organisationField, databaseId }),
    output: z.object({ connection_string: z.string() }),
    async run({ input: { databaseId }, lilac, targetOrganisationId, signal }) {
      const body = { targetOrganisationId, databaseId };
      const { connectionString } = await lilac.call('databases.connection-string', { body, signal });
      return { connection_string: connectionString };
    },
  }),
  defineTool({
    name: 'delete_database',
    title: 'Delete a database',
    description:
      'Delete a database with its data and its backups, for good. Refused while environments are connected to it, unless force is true. The person is asked first.',
    access: 'destroy',
    isIdempotent: true,
    input: z.object({
      ...organisationField,
      databaseId,
      force: z.boolean().default(false).describe('Also where environments are connected to it: they lose it.'),
      ...confirmField,
    }),
    output: z.object({ deleted: z.string(), message: z.string() }),
    async run(call) {
      const { lilac, targetOrganisationId, signal, confirm } = call;
      const { databaseId, force } = call.input;
      await call.assertAllowed('databases.delete');
      const body = { targetOrganisationId, databaseId };
      const [{ name }, links] = await Promise.all([
        lilac.call('databases.get', { body, signal }),
        lilac.call('databases.links', { body, signal }),
      ]);
      const losers = await describeLinks(call, links);
      if (links.length > 0 && !force) {
        throw new Refused(
          `Environments are connected to this database: ${losers}. Nothing was changed: disconnect it from them first ` +
            '(disconnect_database), or give force: true.',
        );
      }
      const loss = links.length > 0 ? ` These environments lose it at once: ${losers}.` : '';
      await confirm({
        name,
        consequence: `This deletes the database "${name}" with its data and its backups, for good.${loss}`,
        by: 'databases.delete',
      });
      const { message } = await lilac
        .call('databases.delete', { body: { ...body, force }, signal })
        .catch(inOwnWords([[/databases\/disconnect/, 'disconnect_database']]));
      return { deleted: databaseId, message };
    },
  }),
];
