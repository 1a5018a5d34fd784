import { z } from 'zod';
import { id, message } from './common-shapes.ts';
import { ofDatabase as addressed, ofDatabaseFields as addressedBody } from './database-scope.ts';
import { databaseLink } from './database-shapes.ts';
import { destroys, endpoint, readOnly, writesIdempotently } from './endpoint.ts';
import { VARIABLE_NAME } from './variable-limits.ts';

const variableName = z
  .string()
  .max(100)
  .regex(VARIABLE_NAME)
  .meta({ description: 'ASCII letters, digits and _, with no digit first' });

/** Databases and the environments that use them. */
export const databaseLinks = {
  'databases.connect': endpoint({
    ...addressed,
    path: '/api/databases/connect',
    summary: 'Give an environment the address of a database in a variable',
    description:
      'The variable is there from the next release on, with whatever password the database then has: rotating it ' +
      'updates the variable too.',
    permission: 'update:projects',
    body: z.object({ ...addressedBody, environmentId: id, variable: variableName.default('DATABASE_URL') }),
    output: databaseLink,
    cli: ['db', 'connect-to'],
    mcp: writesIdempotently,
    errors: ['CF001', 'NF001'],
  }),
  'databases.disconnect': endpoint({
    ...addressed,
    path: '/api/databases/disconnect',
    summary: "Take a database's address away from an environment, from its next release on",
    permission: 'update:projects',
    body: z.object({ ...addressedBody, environmentId: id, variable: variableName.default('DATABASE_URL') }),
    output: message,
    cli: ['db', 'disconnect'],
    mcp: destroys,
    errors: ['NF001'],
  }),
  'databases.links': endpoint({
    ...addressed,
    path: '/api/databases/links',
    summary: 'List the environments that a database is connected to',
    permission: 'read:projects',
    body: z.object(addressedBody),
    output: z.array(databaseLink),
    cli: ['db', 'links'],
    mcp: readOnly,
  }),
};
