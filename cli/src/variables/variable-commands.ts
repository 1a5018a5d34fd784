import { yesFlag } from '../frame/ask-for-name.ts';
import type { Flag } from '../frame/flag.ts';
import type { CommandOutcome, CommandRun, OwnCommand } from '../frame/own-command.ts';
import { askForSecret, readSecret } from '../frame/secret-argument.ts';
import { UsageError } from '../frame/usage-error.ts';
import { formatEnvFile } from './env-file.ts';
import { compareVariables, type Variables } from './variables.ts';

const appliesLater = 'Variables apply on the next build. Values are never printed.';

const usual = { part: 'body', kind: 'text', isRequired: false, isNullable: false, choices: [] } as const;
const file: Flag = { ...usual, key: 'file', name: 'file', isPositional: true, description: 'left out: .env' };
const app: Flag = {
  ...usual,
  key: 'app',
  name: 'app',
  description: 'the application (its id, name or subdomain) or the id of an environment; left out: the linked one',
};
const showValues: Flag = {
  ...usual,
  key: 'showValues',
  name: 'show-values',
  kind: 'switch',
  description: 'show values too, not only names',
};
const replace: Flag = {
  ...usual,
  key: 'replace',
  name: 'replace',
  kind: 'switch',
  description: 'remove what the file does not name',
};

const setting = {
  summary: 'Set some variables of an environment and keep the others',
  description:
    'Everything after the first = is the value, as it is. A name alone takes its value from standard input, ' +
    `or asks for it: so it is in no list of processes and no history. ${appliesLater}`,
  endpoint: 'environments.update',
  arguments: ['environmentId'],
  more: 'NAME=value',
  run: setVariables,
} as const;

const unsetting = {
  summary: 'Remove some variables of an environment and keep the others',
  description: appliesLater,
  endpoint: 'environments.update',
  arguments: ['environmentId'],
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
    flags: [showValues],
    run: listVariables,
  },
  {
    words: ['env', 'push'],
    summary: 'Set the variables of an environment from a file, such as .env',
    description:
      'Shows what changes (+ added, ~ changed, - removed) and asks, unless --yes is given. What the file does not name ' +
      'stays, unless --replace is given. Refused where somebody else changed them in the meantime. A $ in a value is a ' +
      '$; "-" reads standard input. They apply on the next build.',
    endpoint: null,
    arguments: [],
    flags: [file, app, replace, showValues, yesFlag],
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

async function setVariables(run: CommandRun): Promise<CommandOutcome> {
  const given = await readAssignments(run);
  return changeVariables(run, (before) => ({
    after: { ...before, ...given },
    named: Object.keys(given),
  }));
}

async function unsetVariables(run: CommandRun): Promise<CommandOutcome> {
  const odd = run.words.find((word) => word.includes('='));
  if (odd !== undefined) throw new UsageError(`Names only: "${odd.slice(0, odd.indexOf('='))}" without a value.`);
  return changeVariables(run, (before) => ({
    after: Object.fromEntries(Object.entries(before).filter(([name]) => !run.words.includes(name))),
    named: run.words,
  }));
}

/** Reads, merges and sends. Where nothing changes nothing is sent, so that nothing is noted as changed. */
async function changeVariables(
  { client, body }: CommandRun,
  decide: (before: Variables) => { after: Variables; named: readonly string[] },
): Promise<CommandOutcome> {
  const target = body as { environmentId: string; targetOrganisationId?: string };
  const { environment_vars: before } = await client.call('environments.get', { body: target });
  const { after, named } = decide(before);
  const { added, changed, unchanged, removed } = compareVariables(before, after);
  const isChange = added.length + changed.length + removed.length > 0;
  if (isChange) await client.call('environments.update', { body: { ...target, environmentVars: { ...after } } });
  const answer = {
    id: target.environmentId,
    added,
    changed,
    removed,
    unchanged: unchanged.filter((name) => named.includes(name)),
    not_set: named.filter((name) => !Object.hasOwn(before, name) && !Object.hasOwn(after, name)),
  };
  return { answer, note: isChange ? nextStep(target.environmentId) : 'Nothing was changed.' };
}

function nextStep(environmentId: string): string {
  return `It applies on the next build. To start one: lilac envs deploy ${environmentId}`;
}

async function readAssignments({ words, input }: CommandRun): Promise<Variables> {
  const pairs: [string, string][] = [];
  const bare = words.filter((word) => !word.includes('='));
  if (bare.length > 1 && !input.isTerminal) {
    throw new UsageError(`Standard input holds one value, not one for each of ${bare.join(', ')}.`);
  }
  for (const word of words) {
    const end = word.indexOf('=');
    if (end === 0) throw new UsageError(`There is no name before the = in "${word.slice(0, 1)}…".`);
    pairs.push(end === -1 ? [word, await readValue(word)] : [word.slice(0, end), word.slice(end + 1)]);
  }
  return Object.fromEntries(pairs);

  function readValue(name: string): Promise<string> {
    return input.isTerminal ? askForSecret(input, `Value of ${name}`) : readSecret(input);
  }
}
