import { type Flag, switchFlag } from '../frame/flag.ts';
import type { CommandRun, OwnCommand } from '../frame/own-command.ts';
import { plainText } from '../terminal/printable.ts';

const nodeFlag: Flag = switchFlag(
  'node',
  'for node-postgres (pg), which reads sslmode=require as verify-full: sslmode=no-verify',
);

/** The string alone, for `psql "$(lilac db url …)"`. */
export const databaseUrlCommand: OwnCommand = {
  words: ['db', 'url'],
  summary: 'Show the address of a database with its password',
  description:
    'As psql, most libraries and mysql2 take it. It is there from the beginning; nothing answers at it before the ' +
    "status is healthy. Of a database without a public address it is what the organisation's own applications use.",
  endpoint: 'databases.connection-string',
  arguments: ['databaseId'],
  flags: [nodeFlag],
  run: showUrl,
};

async function showUrl({ client, body, signal, isJson, isTerminal, print, complain }: CommandRun): Promise<null> {
  const { node: isForNode = false, ...target } = body as unknown as Target;
  const { connectionString: given } = await client.call('databases.connection-string', { body: target, signal });
  const connectionString = isForNode ? forNode(given) : given;
  await print(`${isJson ? JSON.stringify({ connectionString }, null, 2) : plainText(connectionString)}\n`);
  if (isTerminal && !isJson && forNode(connectionString) !== connectionString) {
    complain(`For node-postgres (pg): lilac db url ${target.databaseId} --node\n`);
  }
  return null;
}

interface Target {
  databaseId: string;
  node?: boolean;
  targetOrganisationId?: string;
}

/** Both mean: encrypt, and do not ask who it is. The certificate is the server's own. */
const forNode = (connectionString: string): string =>
  connectionString.replace(/([?&])sslmode=require(?=&|$)/, '$1sslmode=no-verify');
