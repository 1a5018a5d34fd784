import { z } from 'zod';
import { id, name, timestamp } from './common-shapes.ts';
import { ofDatabase as addressed, ofDatabaseFields as addressedBody } from './database-scope.ts';
import { database, databaseBackup, state, storageGb, tier } from './database-shapes.ts';
import { endpoint, readOnly, writes } from './endpoint.ts';

/** What is in a database, on its way out of it and into it. */
export const databaseData = {
  'databases.dump': endpoint({
    ...addressed,
    path: '/api/databases/dump',
    summary: 'Write all of a database into a file to download',
    description:
      'Answers when the file is whole and has been checked: gzip-compressed SQL. Asked while one is being written, ' +
      'it answers with that one. When it takes very long the answer is 503: ask again to wait on.',
    permission: 'read:projects',
    feature: 'database_dump',
    body: z.object(addressedBody),
    output: z.object({
      downloadUrl: z.string().meta({ description: 'takes a GET without a credential, for one hour' }),
      expiresAt: timestamp,
      size: z.int(),
    }),
    cli: ['db', 'dump'],
    mcp: null,
    errors: ['CF001', 'SV002'],
  }),
  'databases.import': endpoint({
    ...addressed,
    path: '/api/databases/import',
    summary: 'Run a dump that was uploaded: SQL, plain or gzip-compressed',
    description:
      'All of it, or nothing where it fails. Request an upload address with the content type `application/sql` or ' +
      '`application/gzip`, PUT the file, complete the upload, then name it here. Returns at once; the status is ' +
      '`updating` until it is done; then `last_import` of `databases/status` says whether it failed, and why.',
    permission: 'update:projects',
    feature: 'database_dump',
    body: z.object({ ...addressedBody, uploadId: id }),
    output: state,
    cli: ['db', 'import'],
    mcp: null,
    errors: ['CF001', 'NF001'],
  }),
  'databases.backups': endpoint({
    ...addressed,
    path: '/api/databases/backups',
    summary: "List a database's backups, newest first",
    permission: 'read:projects',
    body: z.object(addressedBody),
    output: z.array(databaseBackup),
    cli: ['db', 'backups'],
    mcp: readOnly,
  }),
  'databases.backup': endpoint({
    ...addressed,
    path: '/api/databases/backup',
    summary: 'Back a database up now',
    description: 'Returns at once; the list of backups says how it ends. One is made every day by itself.',
    permission: 'update:projects',
    body: z.object(addressedBody),
    output: databaseBackup,
    cli: ['db', 'backup'],
    mcp: writes,
    errors: ['CF001'],
  }),
  'databases.restore': endpoint({
    ...addressed,
    path: '/api/databases/restore',
    summary: 'Make a new database from a backup',
    description:
      'The database that was backed up is not touched. The new one has its engine, and its size where you say no other.',
    permission: 'create:projects',
    body: z.object({
      ...addressedBody,
      backupId: id,
      name,
      tier: tier.optional(),
      storageGb: storageGb.optional().meta({ description: 'at least what is in the backup' }),
    }),
    status: 201,
    output: database.pick({ id: true, name: true, database_type: true, tier: true, status: true }),
    cli: ['db', 'restore'],
    mcp: writes,
    errors: ['CF001', 'NF001'],
  }),
};
