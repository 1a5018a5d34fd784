import { yesFlag } from '../frame/ask-for-name.ts';
import { type Flag, switchFlag } from '../frame/flag.ts';
import type { CommandRun, OwnCommand } from '../frame/own-command.ts';
import { setVariables, unsetVariables } from './change-variables.ts';
import { formatEnvFile } from './env-file.ts';

const appliesLater = 'Variables apply on the next build. Values are never printed.';

const usual = { part: 'body', kind: 'text', isRequired: false, isNullable: false, choices: [] } as const;
const file: Flag = { ...usual, key: 'file', name: 'file', isPositional: true, description: 'left out: .env' };
const app: Flag = {
  ...usual,
  key: 'app',
  name: 'app',
  description: 'the application (its id, name or subdomain) or the id of an environment; left out: the linked one',
};
/** The same as the argument, as "env push" has it. */
const asFlag: Flag = { ...app, key: 'environmentId' };
const showValues = switchFlag('showValues', 'show values too, not only names');
const replace = switchFlag('replace', 'remove what the file does not name');

const setting = {
  summary: 'Set some variables of an environment and keep the others',
  description:
    'Everything after the first = is the value, as it is. A name alone takes its value from standard input, ' +
    `or asks for it: so it is in no list of processes and no history. ${appliesLater}`,
  endpoint: 'environments.update',
  arguments: ['environmentId'],
  flags: [asFlag],
  more: 'NAME=value',
  run: setVariables,
} as const;

const unsetting = {
  summary: 'Remove some variables of an environment and keep the others',
  description: appliesLater,
  endpoint: 'environments.update',
  arguments: ['environmentId'],
  flags: [asFlag],
  more: 'NAME',
  run: unsetVariables,
} as const;

/** `envs update` replaces the whole set; these change what is named, and leave the rest. */
export const variableCommands: readonly OwnCommand[] = [
  { words: ['envs', 'set'], ...setting },
  { words: ['envs', 'unset'], ...unsetting },
  { words: ['env', 'set'], ...setting },
  { words: ['env', 'unset'], ...unsetting },
  {
    words: ['env', 'list'],
    summary: 'List the variables of an environment',
    description: 'Names only, unless --show-values is given. Those of connected databases are not among them.',
    endpoint: 'environments.update',
    arguments: ['environmentId'],
    flags: [asFlag, showValues],
    run: listVariables,
  },
  {
    words: ['env', 'push'],
    summary: 'Set the variables of an environment from a file, such as .env',
    description:
      'Shows what changes (+ added, ~ changed, - removed) and asks, unless --yes is given; where nobody can be asked, ' +
      '--yes is needed to remove some. What the file does not name stays, unless --replace is given. Refused where ' +
      'somebody else changed them in the meantime. A $ in a value is a $; "-" reads standard input. They apply on the ' +
      'next build.',
    endpoint: null,
    arguments: [],
    flags: [file, app, replace, showValues, { ...yesFlag, description: 'do not ask' }],
    takesEnvironment: true,
    run: async (run) => (await import('./push-variables.ts')).pushVariables(run),
  },
  {
    words: ['env', 'pull'],
    summary: 'Write the variables of an environment into a file, such as .env',
    description:
      'The file is for its owner only. One that is there is replaced after a question, or with --yes. "-" prints them.',
    endpoint: null,
    arguments: [],
    flags: [file, app, showValues, yesFlag],
    takesEnvironment: true,
    run: async (run) => (await import('./pull-variables.ts')).pullVariables(run),
  },
];

async function listVariables({ client, body, isJson, print }: CommandRun): Promise<null> {
  const { showValues: showsValues = false, ...target } = body as { environmentId: string; showValues?: boolean };
  const { environment_vars: variables } = await client.call('environments.get', { body: target });
  const names = Object.keys(variables).toSorted();
  if (isJson) await print(`${JSON.stringify(showsValues ? variables : names, null, 2)}\n`);
  else if (showsValues) await print(formatEnvFile(variables));
  else await print(names.length === 0 ? 'None.\n' : `${names.join('\n')}\n`);
  return null;
}
