import type { EndpointName } from '@lilac/contract/endpoints';
import { commands, type Command } from './command.ts';
import type { Flag } from './flag.ts';

/** What the platform says in the words of its API, in those of this program: its commands and flags. */
export function inOwnWords(message: string, endpoint: EndpointName | undefined): string {
  const command = commands.find((each) => each.endpoint === endpoint);
  if (!command || !endpoint?.startsWith('databases.')) return message;
  return message
    .replaceAll(/\bdatabases\/[a-z-]+(?:\/[a-z]+)?/g, commandFor)
    .replaceAll(
      /\b([A-Za-z]+): (true|false)\b/g,
      (words, key: string, value) => switchFor(command, key, value) ?? words,
    )
    .replaceAll(/\b[a-z]+[A-Z]\w*\b/g, (key) => flagFor(command, key))
    .replace(/^(Say what to change: )(.*)$/s, (_, before: string, keys: string) => before + listOf(command, keys));
}

/** `databases/disconnect` */
function commandFor(path: string): string {
  const found = commands.find(({ endpoint }) => endpoint === path.replaceAll('/', '.'));
  return found ? ['lilac', ...found.words].join(' ') : path;
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
