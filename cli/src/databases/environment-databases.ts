import { ApiError } from '@lilac/contract/client';
import { declarationOf } from '@lilac/contract/endpoints';
import { toInputSchema } from '@lilac/contract/json-schema';
import type { CommandRun, OwnCommand } from '../frame/own-command.ts';
import { presentForPeople } from '../terminal/present.ts';
import { plainText } from '../terminal/printable.ts';
import type { Fields } from '../terminal/render-cell.ts';
import { renderAnswer } from '../terminal/render.ts';

/** Besides what the platform answers: whose addresses it is given. They are no variables of its own. */
export const environmentCommands: readonly OwnCommand[] = [
  {
    words: ['envs', 'get'],
    summary: 'Show an environment with its variables and the databases it is connected to',
    description: 'The address of a connected database is in its variable from the next release on.',
    endpoint: 'environments.get',
    arguments: ['environmentId'],
    run: showEnvironment,
  },
];

interface Target {
  environmentId: string;
  targetOrganisationId?: string;
}

interface Connected {
  variable: string;
  database_id: string;
  name: string;
}

async function showEnvironment(run: CommandRun): Promise<null> {
  const { client, body, signal, isJson, paper, print, complain } = run;
  const target = body as unknown as Target;
  const environment = await client.call('environments.get', { body: target, signal });
  // What it is comes first: where the databases cannot be read, that is said and no more.
  const connected = await connectedTo(run, target).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    complain(`Its databases could not be read: ${plainText(error.message)}\n`);
    return null;
  });
  if (isJson) {
    await print(`${JSON.stringify({ ...environment, ...(connected && { databases: connected }) }, null, 2)}\n`);
    return null;
  }
  const shown = presentForPeople('environments.get', environment, new Date()) as Fields;
  const shape = toInputSchema(declarationOf('environments.get').output);
  const databases = connected?.length ? { databases: connected } : {};
  await print(`${renderAnswer({ ...shown, ...databases }, paper, shape)}\n`);
  return null;
}

async function connectedTo({ client, signal }: CommandRun, target: Target): Promise<Connected[]> {
  const found = await client.call('environments.databases', { body: target, signal });
  return found.map(({ variable, database_id, name }) => ({ variable, database_id, name }));
}
