import { dirname } from 'node:path';
import { commands, findCommand, isGroup, type Command } from './frame/command.ts';
import { AnswerWatch } from './frame/answer-watch.ts';
import type { CommonFlags, Context } from './frame/context.ts';
import { EndedWith } from './frame/ended-with.ts';
import { complaint } from './frame/complaint.ts';
import { explainError } from './frame/explain-error.ts';
import { generalHelp } from './frame/general-help.ts';
import { commandHelp, groupHelp } from './frame/help.ts';
import type { Input } from './frame/input.ts';
import { Interrupted, interruption } from './frame/interrupted.ts';
import { nearest } from './frame/nearest.ts';
import { operatorCommands } from './operator/operator-commands.ts';
import { parseArguments, type Arguments } from './frame/parse-arguments.ts';
import { runCommand } from './frame/run-command.ts';
import { readSettings, type Environment, type Settings } from './frame/settings.ts';
import { version } from './frame/version.ts';
import { groupNames } from './frame/short-words.ts';
import { UsageError } from './frame/usage-error.ts';
import { findLink, type FoundLink } from './link/link.ts';
import { choosePlatform } from './session/choose-platform.ts';
import { plainText } from './terminal/printable.ts';

/** What surrounds the program, so that tests can look over its shoulder. */
export interface Surroundings {
  cwd: string;
  environment: Environment;
  /** How many characters fit into a line. */
  width: number;
  /** Whether a person looks at it, not a program. */
  isTerminal: boolean;
  input: Input;
  /** Resolves when there is room for more. */
  print: (text: string) => unknown;
  complain: (text: string) => void;
  /** Ends what would go on for ever. Left out, only the end of the program does. */
  signal?: AbortSignal;
}

const FAILED = 1;
const MISUSED = 2;

/** Answers the exit code. */
export async function runCli(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  try {
    const settings = readSettings(surroundings.environment);
    return await runWords(commonFlagsLast(argv), settings, surroundings);
  } catch (error) {
    if (error instanceof EndedWith) return error.exitCode;
    const isJson = argv.some((word) => word === '--json' || word.startsWith('--json='));
    if (error instanceof Interrupted) {
      if (isJson) surroundings.complain(complaint({ code: 'INTERRUPTED', lines: [error.message] }, isJson));
      return error.exitCode;
    }
    if (!(error instanceof UsageError)) throw error;
    const words = findCommand(commonFlagsLast(argv))?.command.words;
    const hint = words ? `"lilac ${words.join(' ')} --help" tells more.` : '"lilac --help" lists the commands.';
    const lines = [error.message, hint];
    surroundings.complain(complaint({ code: 'USAGE', lines }, isJson));
    return MISUSED;
  }
}

async function runWords(argv: readonly string[], settings: Settings, surroundings: Surroundings): Promise<number> {
  const found = findCommand(argv);
  if (!found) {
    surroundings.print(answerWithoutCommand(argv, surroundings.width));
    return 0;
  }
  const { command, rest } = found;
  if (wantsHelp(rest)) {
    const help = hasMembers(command)
      ? groupHelp(command.words, surroundings.width)
      : commandHelp(command, surroundings.width);
    surroundings.print(help);
    return 0;
  }
  const words = rest.filter((word) => !word.startsWith('-'));
  if (hasMembers(command) && rest[0] === words[0] && words.length > command.positionals.length) {
    throw unknownCommand([...command.words, words[0]!]);
  }
  return await runFound(command, rest, { settings, surroundings });
}

async function runFound(
  command: Command,
  rest: readonly string[],
  { settings, surroundings }: { settings: Settings; surroundings: Surroundings },
): Promise<number> {
  const { width, ...world } = surroundings;
  const link = findLink(world.cwd);
  const linkFor = (asked: CommonFlags) => {
    const { apiUrl } = choosePlatform(asked, settings, link);
    return link?.link.apiUrl === apiUrl ? link.link : undefined;
  };
  const given = parseArguments(command, rest, linkFor);
  const { flags, isJson } = given;
  const platform = choosePlatform(flags, settings, link);
  tellLink(command, given, { world, link, apiUrl: platform.apiUrl });
  const answers = new AnswerWatch();
  const { signal } = world;
  const context: Context = { ...world, settings, flags, platform, link, isJson, signal, onAnswer: answers.note };
  const paper = { width, hasColours: world.isTerminal && settings.wantsColours, hasUnicode: settings.hasUnicode };
  try {
    const work = runCommand(command, given, { ...context, paper });
    world.print(command.own?.tidiesUp ? await work : await Promise.race([work, interruption(world.signal)]));
    return 0;
  } catch (error) {
    // `lilac apps list | head` has read what it wanted; `lilac logs --follow` would go on for nobody.
    if (error instanceof Interrupted && error.cause === 'SIGPIPE' && !command.own?.tidiesUp) return 0;
    if (error instanceof UsageError || error instanceof Interrupted || error instanceof EndedWith) throw error;
    world.complain(complaint(explainError(answers.explain(error), platform.apiUrl, command), isJson));
    return FAILED;
  }
}

/** What a folder above decides is easily overlooked. */
function tellLink(
  { own }: Command,
  { isLinked, isJson }: Arguments,
  { world, link, apiUrl }: { world: Omit<Surroundings, 'width'>; link: FoundLink | null; apiUrl: string },
): void {
  if (!link || isJson || !world.input.isTerminal || dirname(link.file) === world.cwd) return;
  if (link.link.apiUrl !== apiUrl || !(isLinked || own?.takesEnvironment)) return;
  world.complain(`As ${plainText(link.file)} links it:\n`);
}

/** Whatever else is said, and however wrong it is. */
function wantsHelp(rest: readonly string[]): boolean {
  const end = rest.indexOf('--');
  return rest.slice(0, end < 0 ? rest.length : end).some((word) => word === '--help' || word === '-h');
}

function answerWithoutCommand(argv: readonly string[], width: number): string {
  const words = argv.filter((word) => !word.startsWith('-'));
  const wants = (...flags: string[]) => argv.some((word) => flags.includes(word));
  if (argv.length === 0 || (words.length === 0 && wants('--help', '-h')))
    return generalHelp(commands, version(), width);
  if (words.length === 0 && wants('--version', '-v'))
    return wants('--json') ? `${JSON.stringify({ version: version() })}\n` : `${version()}\n`;
  const [first = '', ...others] = words;
  const groups = [words, [groupNames[first] ?? first, ...others]];
  const group = words.length > 0 ? groups.find(beginsCommands) : undefined;
  if (group) return groupHelp(group, width);
  throw unknownCommand(words.length > 0 ? words : argv);
}

function beginsCommands(words: readonly string[]): boolean {
  return commands.some((command) => words.every((word, index) => command.words[index] === word));
}

/** `lilac apps` lists them, and is what their other commands begin with. */
function hasMembers({ words }: Command): boolean {
  return words.length === 1 && isGroup(words[0]!);
}

function unknownCommand(words: readonly string[]): UsageError {
  const names = [...commands, ...operatorCommands].map((command) => command.words);
  const beginnings = names.map((name) => name.slice(0, words.length).join(' '));
  const meant = nearest(words.join(' '), beginnings);
  // `envs logs` is `logs`: right in a word, wrong in where it stands.
  const elsewhere = names.find(([first, ...more]) => more.length === 0 && words.slice(1, 2).includes(first));
  const suggestion = elsewhere ?? (meant === null ? undefined : names[beginnings.indexOf(meant)]);
  const hint = suggestion ? ` Did you mean "lilac ${suggestion.join(' ')}"?` : '';
  return new UsageError(`There is no command "${words.join(' ')}".${hint}`);
}

/** `lilac --json apps list` is `lilac apps list --json`. */
function commonFlagsLast(argv: readonly string[]): readonly string[] {
  const [first = ''] = argv;
  const [name = ''] = first.split('=', 1);
  const isFlag = name === '--json' || withValue.includes(name);
  const count = isFlag ? (withValue.includes(first) ? 2 : 1) : 0;
  if (count === 0 || argv.length <= count) return argv;
  return [...commonFlagsLast(argv.slice(count)), ...argv.slice(0, count)];
}

const withValue = ['--org', '--api-url', '--env'];
