import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { usageOf, type Command } from './command.ts';
import type { CommonFlags } from './context.ts';
import { hasSeveral, type Field, type Flag } from './flag.ts';
import { UsageError } from './usage-error.ts';
import { listsOfHosts } from '../repository-hosts/lists-of-hosts.ts';
import { isTarget, leftToLink, takesEnvironment, type LinkedKey } from '../link/left-to-link.ts';
import type { Link } from '../link/link.ts';

export interface Arguments {
  /** What goes into the request, by its place. */
  input: Partial<Record<Field['part'], Record<string, unknown>>>;
  flags: CommonFlags;
  /** What came after the arguments, where more may. */
  words: string[];
  /** Whether the folder's link says what it is about. */
  isLinked: boolean;
  isJson: boolean;
}

type FindLink = (flags: CommonFlags) => Link | undefined;

/** What the folder is linked to stands in for what is left out. */
export function parseArguments(command: Command, argv: readonly string[], findLink?: FindLink): Arguments {
  const { values, positionals } = readWords(command, argv);
  const { org, env, 'api-url': apiUrl } = values as Partial<Record<string, string>>;
  const flags = { organisation: org, environment: env, apiUrl };
  const { given, words, isLinked } = givenValues(command, { values, positionals, link: findLink?.(flags) });
  assertComplete(command, given, words);
  const input: Arguments['input'] = {};
  for (const [flag, value] of given) (input[flag.part] ??= {})[flag.key] = value;
  return { input, flags, words, isLinked, isJson: values.json === true };
}

function readWords(command: Command, argv: readonly string[]) {
  const flags = command.flags.map((flag) => [flag.name, optionOf(flag)] as const);
  const options: ParseArgsOptionsConfig = { ...commonOptionsOf(command), ...Object.fromEntries(flags) };
  try {
    return parseArgs({ args: withNumbersJoined(command, argv), options, allowPositionals: true, allowNegative: true });
  } catch (error) {
    throw new UsageError(explainRefusal((error as Error).message));
  }
}

function commonOptionsOf(command: Command): ParseArgsOptionsConfig {
  const text = { type: 'string' } as const;
  return { json: { type: 'boolean' }, org: text, 'api-url': text, ...(takesEnvironment(command) && { env: text }) };
}

/** The first sentence says what is wrong; for a value like a flag, another says it better. */
function explainRefusal(message: string): string {
  const [, flag] = /^Option '[^']*?(--[\w-]+)[^']*' argument is ambiguous/.exec(message) ?? [];
  if (flag) return `${flag} needs a value; one that begins with a dash is given as ${flag}=-….`;
  return `${message.split('. ', 1)[0]}.`;
}

const isNegative = (word: string | undefined) => /^-[\d.]/.test(word ?? '');

/** `--lines -1` is `--lines=-1`: a number below zero is refused as a number, not taken for a flag. */
function withNumbersJoined(command: Command, argv: readonly string[]): string[] {
  const isNumeric = (word: string | undefined) =>
    command.flags.some(({ kind, name, short }) => kind === 'number' && (word === `--${name}` || word === `-${short}`));
  return argv.flatMap((word, index) => {
    if (isNegative(word) && isNumeric(argv[index - 1])) return [];
    const next = argv[index + 1];
    if (!isNumeric(word) || !isNegative(next)) return [word];
    return [word.startsWith('--') ? `${word}=${next}` : `${word}${next}`];
  });
}

function optionOf(flag: Flag): ParseArgsOptionsConfig[string] {
  const multiple = hasSeveral(flag);
  return { type: flag.kind === 'switch' ? 'boolean' : 'string', multiple, ...(flag.short && { short: flag.short }) };
}

interface Words {
  values: Record<string, unknown>;
  positionals: string[];
  link: Link | undefined;
}

function givenValues(command: Command, { values, positionals, link }: Words) {
  const given = new Map<Flag, unknown>();
  for (const flag of command.flags) {
    if (values[flag.name] !== undefined) given.set(flag, toValue(flag, values[flag.name]));
  }
  const unnamed = command.positionals.filter((flag) => !isGiven(given, flag));
  const linked = link ? leftToLink(command, { unnamed, words: positionals }) : [];
  for (const flag of linked) given.set(flag, link![flag.key as LinkedKey]);
  const open = unnamed.filter((flag) => !given.has(flag));
  const list = open.at(-1)?.kind === 'list' ? open.pop() : undefined;
  const words = positionals.slice(open.length);
  for (const [index, word] of positionals.slice(0, open.length).entries()) {
    given.set(open[index]!, toValue(open[index]!, word));
  }
  if (list && words.length > 0) given.set(list, toValue(list, words.splice(0)));
  if (words.length > 0 && !command.own?.more) throw new UsageError(`"${words[0]}" is one word too many.`);
  return { given, words, isLinked: linked.length > 0 };
}

/** By its own flag, or by another that says the same. */
function isGiven(given: ReadonlyMap<Flag, unknown>, { part, key }: Flag): boolean {
  return [...given.keys()].some((flag) => flag.part === part && flag.key === key);
}

function toValue(flag: Flag, value: unknown): unknown {
  if (flag.kind === 'list' && flag.choices.length > 0) return toChoices(flag, value as string[]);
  if (flag.isBlankNone && Array.isArray(value)) return (value as string[]).filter((each) => each !== '');
  if (flag.isNullable && value === 'null') return null;
  if (flag.kind === 'number') return toNumber(flag, String(value));
  if (flag.kind === 'pairs') return toPairs(flag, value as string[]);
  if (flag.kind === 'objects') return (value as string[]).flatMap((text) => toObjects(flag, text));
  return flag.choices.length > 0 ? toChoice(flag, String(value)) : value;
}

function toChoice(flag: Flag, value: string): string {
  if (flag.choices.includes(value)) return value;
  throw new UsageError(`--${flag.name} is one of ${flag.choices.join(', ')}, not "${value}".`);
}

function toChoices(flag: Flag, values: readonly string[]): string[] {
  return values.flatMap((value) => value.split(',')).map((value) => toChoice(flag, value.trim()));
}

function toNumber(flag: Flag, value: string): number {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number)) {
    throw new UsageError(`--${flag.name} is a number, not "${value}".`);
  }
  return number;
}

/** Everything after the first `=` is the value, as it is. Nothing at all is the empty set. */
function toPairs(flag: Flag, values: readonly string[]): Record<string, string> {
  const pairs = values
    .filter((text) => text !== '')
    .map((text) => {
      const end = text.indexOf('=');
      if (end < 1) throw new UsageError(`--${flag.name} is NAME=value, not "${text}".`);
      return [text.slice(0, end), text.slice(end + 1)];
    });
  return Object.fromEntries(pairs) as Record<string, string>;
}

/** One object, or a list of them. Nothing at all is the empty list. */
function toObjects(flag: Flag, text: string): unknown[] {
  if (text === '') return [];
  try {
    return [JSON.parse(text) as unknown].flat().map(requireObject);
  } catch {
    throw new UsageError(`--${flag.name} is JSON: ${flag.description}. This is not: ${text}`);
  }
}

function requireObject(value: unknown): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new TypeError('no object');
}

/** What is deleted is never left to the folder that somebody is in. */
const howToName = ({ words }: Command): string =>
  words.at(-1) === 'delete' ? ' Name it.' : ' Name it, or link this folder with "lilac link".';

function assertComplete(command: Command, given: ReadonlyMap<Flag, unknown>, words: readonly string[]): void {
  const missing = command.flags.filter((flag) => flag.isRequired && !isGiven(given, flag)).map((flag) => flag.name);
  if (command.own?.more && words.length === 0) missing.push(command.own.more);
  if (missing.length === 0) return;
  const isTargetMissing = command.flags.some((flag) => isTarget(flag) && !isGiven(given, flag));
  const list = command.endpoint && listsOfHosts[command.endpoint];
  const whereListed = list ? ` "lilac ${list}" lists what there is.` : '';
  const hint = isTargetMissing ? howToName(command) : whereListed;
  throw new UsageError(`Missing: ${missing.join(', ')}.${hint} Usage: ${usageOf(command)}`);
}
