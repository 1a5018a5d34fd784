import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import type { Command } from './command.ts';
import type { Field, Flag } from './flag.ts';
import { UsageError } from './usage-error.ts';

export interface Arguments {
  /** What goes into the request, by its place. */
  input: Partial<Record<Field['part'], Record<string, unknown>>>;
  organisation: string | undefined;
  isJson: boolean;
  wantsHelp: boolean;
}

const commonOptions = {
  json: { type: 'boolean' },
  org: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsOptionsConfig;

export function parseArguments(command: Command, argv: readonly string[]): Arguments {
  const { values, positionals } = readWords(command, argv);
  const wantsHelp = values.help === true;
  const organisation = values.org as string | undefined;
  const given = givenValues(command, values, positionals);
  if (!wantsHelp) assertComplete(command, given);
  const input: Arguments['input'] = {};
  for (const [flag, value] of given) (input[flag.part] ??= {})[flag.key] = value;
  if (command.organisation && organisation) {
    (input[command.organisation.part] ??= {})[command.organisation.key] = organisation;
  }
  return { input, organisation, isJson: values.json === true, wantsHelp };
}

function readWords(command: Command, argv: readonly string[]) {
  const flags = command.flags.map((flag) => [flag.name, optionOf(flag)] as const);
  const options: ParseArgsOptionsConfig = { ...commonOptions, ...Object.fromEntries(flags) };
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, allowNegative: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ', 1)[0]}.`);
  }
}

function optionOf(flag: Flag): ParseArgsOptionsConfig[string] {
  const multiple = flag.kind === 'list' || flag.kind === 'pairs';
  return { type: flag.kind === 'switch' ? 'boolean' : 'string', multiple };
}

function givenValues(command: Command, values: Record<string, unknown>, words: string[]): Map<Flag, unknown> {
  const given = new Map<Flag, unknown>();
  for (const flag of command.flags) {
    if (values[flag.name] !== undefined) given.set(flag, toValue(flag, values[flag.name]));
  }
  const open = command.positionals.filter((flag) => !given.has(flag));
  for (const [index, word] of words.entries()) {
    const flag = open[index];
    if (!flag) throw new UsageError(`"${word}" is one word too many.`);
    given.set(flag, toValue(flag, word));
  }
  return given;
}

function toValue(flag: Flag, value: unknown): unknown {
  if (flag.isNullable && value === 'null') return null;
  if (flag.kind === 'number') return toNumber(flag, String(value));
  if (flag.kind === 'pairs') return toPairs(flag, value as string[]);
  if (flag.choices.length > 0 && !flag.choices.includes(String(value))) {
    throw new UsageError(`--${flag.name} is one of ${flag.choices.join(', ')}, not "${String(value)}".`);
  }
  return value;
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

function assertComplete(command: Command, given: ReadonlyMap<Flag, unknown>): void {
  const missing = command.flags.filter((flag) => flag.isRequired && !given.has(flag));
  if (missing.length === 0) return;
  const usage = [...command.words, ...command.positionals.map((flag) => `<${flag.name}>`)].join(' ');
  throw new UsageError(`Missing: ${missing.map((flag) => flag.name).join(', ')}. Usage: lilac ${usage}`);
}
