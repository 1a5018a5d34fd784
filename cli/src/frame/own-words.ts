import { commands, placeOf, type Command } from './command.ts';
import type { Flag } from './flag.ts';

/**
 * What the contract or the platform says in the words of the API, in those of this program: its commands, and the
 * flags of the one that is meant. What is none of them stays as it is, and so does what stands in quotes: people
 * wrote it.
 */
export function inOwnWords(message: string, command: Command): string {
  return message
    .replaceAll(
      /\b(environments\/[a-z]+) with ([A-Za-z]+): (true|false)\b/g,
      (words, path: string, key: string, value: string) => callFor(path, key, value) ?? words,
    )
    .replaceAll(
      /(?<!["\w./-])(?:POST \/api\/)?([a-z][a-z0-9-]*(?:\/[a-z][a-z0-9-]*)+)/g,
      (words, path: string) => nameOf(commandAt(path)) ?? words,
    )
    .replaceAll(/`(\w+)` is (true|false)\b/g, (words, key: string, value: string) => {
      const given = switchFor(command, key, value);
      return given ? `${given} is given` : words;
    })
    .replaceAll(
      /\b([A-Za-z]+): (true|false)\b/g,
      (words, key: string, value: string) => switchFor(command, key, value) ?? words,
    )
    .replaceAll(/`(\w+)`/g, (words, key: string) => flagFor(command, key) ?? words)
    .replaceAll(/(?<!["\w])[a-z]+[A-Z]\w*\b/g, (key) => flagFor(command, key) ?? key)
    .replace(/^(Say what to change: )(.*)$/s, (_, before: string, keys: string) => before + listOf(command, keys));
}

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

/** As it is given: `--min-instances`, or `<application-id>`. */
function flagFor(command: Command, key: string): string | null {
  const flag = findFlag(command, key);
  if (!flag) return null;
  return command.positionals.includes(flag) ? placeOf(flag) : `--${flag.name}`;
}

const listOf = (command: Command, keys: string): string =>
  keys.replaceAll(/(?<![\w-])[a-z]+(?![\w-])/g, (key) => flagFor(command, key) ?? key);

const findFlag = ({ flags }: Command, key: string): Flag | undefined => flags.find((flag) => flag.key === key);
