import type { EndpointName } from '@lilac/contract/endpoints';
import { commands, type Command } from './command.ts';
import type { Flag } from './flag.ts';

/** What the platform says in the words of its API, in those of this program: its commands and flags. */
export function inOwnWords(message: string, endpoint: EndpointName | undefined): string {
  const command = commands.find((each) => each.endpoint === endpoint);
  if (!command?.endpoint || !isTranslated(command.endpoint)) return message;
  return message
    .replaceAll(
      /\b(environments\/[a-z]+) with ([A-Za-z]+): (true|false)\b/g,
      (words, path: string, key: string, value: string) => callFor(path, key, value) ?? words,
    )
    .replaceAll(/\bdatabases\/[a-z-]+(?:\/[a-z]+)?/g, (path) => nameOf(commandAt(path)) ?? path)
    .replaceAll(
      /\b([A-Za-z]+): (true|false)\b/g,
      (words, key: string, value: string) => switchFor(command, key, value) ?? words,
    )
    .replaceAll(/\b[a-z]+[A-Z]\w*\b/g, (key) => flagFor(command, key))
    .replace(/^(Say what to change: )(.*)$/s, (_, before: string, keys: string) => before + listOf(command, keys));
}

const isTranslated = (endpoint: EndpointName) =>
  endpoint.startsWith('databases.') || endpoint === 'applications.create' || endpoint === 'applications.update';

/** `databases/disconnect` */
const commandAt = (path: string): Command | undefined =>
  commands.find(({ endpoint }) => endpoint === path.replaceAll('/', '.'));

const nameOf = (command: Command | undefined): string | undefined => command && ['lilac', ...command.words].join(' ');

/** What another command is to be called with. */
function callFor(path: string, key: string, value: string): string | null {
  const other = commandAt(path);
  const flag = other && switchFor(other, key, value);
  return flag ? `${nameOf(other)} … ${flag}` : null;
}

function switchFor(command: Command, key: string, value: string): string | null {
  const flag = findFlag(command, key);
  if (flag?.kind !== 'switch') return null;
  return value === 'true' ? `--${flag.name}` : `--no-${flag.name}`;
}

/** Words of two parts are no words of a language. */
function flagFor(command: Command, key: string): string {
  const flag = findFlag(command, key);
  return flag && !command.positionals.includes(flag) ? `--${flag.name}` : key;
}

const listOf = (command: Command, keys: string): string =>
  keys.replaceAll(/(?<![\w-])[a-z]+(?![\w-])/g, (key) => flagFor(command, key));

const findFlag = ({ flags }: Command, key: string): Flag | undefined => flags.find((flag) => flag.key === key);
