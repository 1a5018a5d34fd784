import { z } from 'zod';
import { id, message, name, organisationFields, pageOf, paginationFields, timestamp } from './common-shapes.ts';
import { databaseData } from './database-data.ts';
import { databaseExplorer } from './database-explorer.ts';
import { databaseLinks } from './database-links.ts';
import { ofDatabase as addressed, ofDatabaseFields as addressedBody } from './database-scope.ts';
import { database, databaseProgress, state, storageGb, tier } from './database-shapes.ts';
import { region } from './deploy-settings.ts';
import { destroys, endpoint, readOnly, writes, writesIdempotently } from './endpoint.ts';
import { lastEventId } from './request-headers.ts';
import { inOrganisation, OWN_ORGANISATION } from './scopes.ts';
import { sortColumns } from './sort-columns.ts';
import { databaseTypes, metricRanges } from './states.ts';

/** The rules of the service, in one place: no schema of JSON says "no quotes" more clearly than these words. */
const databasePassword = z
  .string()
  .min(12)
  .max(128)
  .regex(/^[^\s'"`\\]*$/)
  .meta({ description: '12 or more characters; no spaces, quotes or backslashes' });

const networks = z
  .array(z.string().min(1).max(50))
  .max(100)
  .meta({
    description: 'CIDR ranges that may connect; an empty list: anywhere',
    examples: [['203.0.113.0/24']],
  });

const SECOND_SERVER = 'a second server takes over when the first one fails';
const NOT_PUBLIC = "false: only the organisation's own applications reach it";

/** A name inside the server: quoted wherever it is used, but kept plain, since people type it. */
const innerName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,31}$/)
  .optional()
  .meta({
    description: 'lower-case letters, digits and _, beginning with a letter, at most 32; left out: generated',
  });

/** That, and how its last import ended, which nothing else that happens to it writes over. */
const standing = state.extend({
  last_import: z
    .object({
      upload_id: id,
      error: z.string().nullable().meta({ description: 'why it failed; null: all of it is in' }),
    })
    .nullable()
    .meta({ description: 'the last import that ended; null: none did, or one is under way' }),
});

const point = z.object({ t: timestamp, v: z.number() });

export const databases = {
  'databases.list': endpoint({
    ...inOrganisation,
    path: '/api/databases',
    summary: 'List databases, newest first',
    permission: 'read:projects',
    body: z.object({ ...organisationFields, ...paginationFields(sortColumns.databases) }),
    output: pageOf(database),
    cli: ['db', 'list'],
    mcp: readOnly,
  }),
  'databases.get': endpoint({
    ...addressed,
    path: '/api/databases/get',
    summary: 'Show a database; never its credentials',
    permission: 'read:projects',
    body: z.object(addressedBody),
    output: database,
    cli: ['db', 'get'],
    mcp: readOnly,
  }),
  'databases.status': endpoint({
    ...addressed,
    path: '/api/databases/status',
    summary: "Show a database's status; cheap enough to poll",
    permission: 'read:projects',
    body: z.object(addressedBody),
    output: standing,
    cli: ['db', 'status'],
    mcp: readOnly,
  }),
  'databases.create': endpoint({
    ...inOrganisation,
    path: '/api/databases/create',
    summary: 'Create a PostgreSQL or MySQL server of its own',
    description:
      'Returns at once; poll the status or follow the stream. The catalogue says which types and tiers there are.',
    permission: 'create:projects',
    body: z.object({
      ...organisationFields,
      name: name.meta({ description: 'what people call it; several may have the same' }),
      databaseType: z.enum(databaseTypes).default('postgresql'),
      tier: tier.default('db-f1-micro'),
      region: region.optional(),
      storageGb: storageGb.default(10).meta({ description: 'grows without downtime, never shrinks' }),
      haEnabled: z.boolean().default(false).meta({ description: SECOND_SERVER }),
      publicIpEnabled: z.boolean().default(true).meta({ description: NOT_PUBLIC }),
      authorizedNetworks: networks.optional(),
      databaseName: innerName,
      adminUser: innerName,
      adminPassword: databasePassword.optional(),
      projectId: id.optional().meta({ description: 'the folder it is filed under' }),
    }),
    status: 201,
    output: database.pick({ id: true, name: true, database_type: true, tier: true, status: true }),
    cli: ['db', 'create'],
    mcp: writes,
    errors: ['CF001', 'NF001'],
  }),
  'databases.connection-string': endpoint({
    ...addressed,
    path: '/api/databases/connection-string',
    summary: 'Show the address of a database with its password',
    description:
      'There from the beginning; nothing answers at it before the status is healthy. Of a database without a public ' +
      "address it is what the organisation's own applications use.",
    permission: 'read:projects',
    body: z.object(addressedBody),
    output: z.object({ connectionString: z.string() }),
    cli: ['db', 'url'],
    mcp: null,
    errors: ['CF001'],
  }),
  'databases.update': endpoint({
    ...addressed,
    path: '/api/databases/update',
    summary: "Change a database's name, size, networks or availability",
    description:
      'Another tier restarts the server. Storage only grows, without a restart. Answers what was changed, with the id.',
    permission: 'update:projects',
    body: z.object({
      ...addressedBody,
      name: name.optional(),
      tier: tier.optional(),
      region: region.optional(),
      storageGb: storageGb.optional().meta({ description: 'more than now' }),
      haEnabled: z.boolean().optional().meta({ description: SECOND_SERVER }),
      publicIpEnabled: z.boolean().optional().meta({ description: NOT_PUBLIC }),
      authorizedNetworks: networks.optional(),
    }),
    output: database
      .pick({
        name: true,
        tier: true,
        region: true,
        storage_gb: true,
        ha_enabled: true,
        public_ip_enabled: true,
        authorized_networks: true,
      })
      .partial()
      .extend({ id, status: database.shape.status }),
    cli: ['db', 'update'],
    mcp: writesIdempotently,
    errors: ['CF001'],
  }),
  'databases.rotate-password': endpoint({
    ...addressed,
    path: '/api/databases/rotate-password',
    summary: 'Give a database another password; the old one stops working at once',
    description:
      'Connections that were opened with the old one are ended. Applications that the database is connected to get ' +
      'the new one, and their instances are replaced.',
    permission: 'update:projects',
    body: z.object({ ...addressedBody, newPassword: databasePassword.optional() }),
    output: z.object({ connectionString: z.string() }),
    cli: ['db', 'rotate'],
    mcp: null,
    errors: ['CF001', 'SV002'],
  }),
  'databases.metrics': endpoint({
    ...addressed,
    path: '/api/databases/metrics',
    summary: 'Show what a database uses',
    description:
      '`cpu` is percent of what its tier gives, `memory` and `storage` are bytes, `connections` is how many were open. ' +
      'A step with no point was not measured.',
    permission: 'read:projects',
    body: z.object({ ...addressedBody, timeRange: z.enum(metricRanges).default('1h') }),
    output: z.object({
      databaseId: id,
      metrics: z.object({
        cpu: z.array(point),
        memory: z.array(point),
        storage: z.array(point),
        connections: z.array(point),
      }),
    }),
    cli: ['db', 'metrics'],
    mcp: readOnly,
  }),
  'databases.provision': endpoint({
    ...addressed,
    path: '/api/databases/provision',
    summary: 'Try again to set a database up that failed to; harmless for a healthy one',
    permission: 'create:projects',
    body: z.object(addressedBody),
    output: state,
    cli: ['db', 'provision'],
    mcp: writesIdempotently,
    errors: ['CF001'],
  }),
  'databases.move': endpoint({
    ...addressed,
    path: '/api/databases/move',
    summary: 'File a database under another folder',
    permission: 'update:projects',
    body: z.object({ ...addressedBody, targetFolderId: id.nullable().meta({ description: 'null: under none' }) }),
    output: database.pick({ id: true, project_id: true }),
    cli: ['db', 'move'],
    mcp: writesIdempotently,
    errors: ['NF001'],
  }),
  'databases.delete': endpoint({
    ...addressed,
    path: '/api/databases/delete',
    summary: 'Delete a database with its data and backups, for good',
    description: 'Refused while environments are connected to it, unless `force` says that they are to lose it.',
    permission: 'delete:projects',
    body: z.object({
      ...addressedBody,
      force: z.boolean().default(false).meta({ description: 'also where environments are connected to it' }),
    }),
    output: message,
    cli: ['db', 'delete'],
    mcp: destroys,
    errors: ['CF001'],
  }),
  'databases.stream': endpoint({
    ...inOrganisation,
    method: 'GET',
    organisation: 'params.targetOrganisationId',
    resource: { kind: 'database', field: 'databaseId', in: 'params' },
    path: '/api/databases/:targetOrganisationId/:databaseId/stream',
    summary: 'Follow how a database is being set up or changed',
    description: 'Server-sent events: `status` for every step, then `done`, or `error` with the reason; then it ends.',
    permission: 'read:projects',
    params: z.object({
      targetOrganisationId: id.meta({ description: `with an API key also ${OWN_ORGANISATION}: its own` }),
      databaseId: id,
    }),
    headers: [lastEventId],
    needsLiveSession: true,
    stream: true,
    output: z.object({
      status: databaseProgress,
      done: databaseProgress,
      error: databaseProgress.extend({ message: z.string() }),
    }),
    cli: null,
    mcp: null,
  }),
  ...databaseData,
  ...databaseLinks,
  ...databaseExplorer,
};
