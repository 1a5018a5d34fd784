import { readFileSync } from 'node:fs';
import { commands, findCommand } from './frame/command.ts';
import { explainError } from './frame/explain-error.ts';
import { generalHelp, groupHelp } from './frame/help.ts';
import type { Input } from './frame/input.ts';
import { nearest } from './frame/nearest.ts';
import { operatorCommands } from './operator/operator-commands.ts';
import { runCommand } from './frame/run-command.ts';
import { readSettings, type Settings } from './frame/settings.ts';
import { UsageError } from './frame/usage-error.ts';

/** What surrounds the program, so that tests can look over its shoulder. */
export interface Surroundings {
  environment: Partial<Record<string, string>>;
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
    return await runWords(globalFlagsLast(argv), settings, surroundings);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    surroundings.complain(`lilac: ${error.message}\n"lilac --help" lists the commands.\n`);
    return MISUSED;
  }
}

async function runWords(argv: readonly string[], settings: Settings, surroundings: Surroundings): Promise<number> {
  const found = findCommand(argv);
  if (!found) {
    surroundings.print(answerWithoutCommand(argv, surroundings.width));
    return 0;
  }
  try {
    const { width, isTerminal, input, print, complain, signal } = surroundings;
    const paper = { width, hasColours: isTerminal && settings.wantsColours, hasUnicode: settings.hasUnicode };
    print(await runCommand(found.command, found.rest, { settings, paper, isTerminal, input, print, complain, signal }));
    return 0;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    surroundings.complain(`lilac: ${explainError(error, settings, found.command.endpoint).join('\n')}\n`);
    return FAILED;
  }
}

function answerWithoutCommand(argv: readonly string[], width: number): string {
  const words = argv.filter((word) => !word.startsWith('-'));
  const wants = (...flags: string[]) => argv.some((word) => flags.includes(word));
  if (argv.length === 0 || (words.length === 0 && wants('--help', '-h'))) return generalHelp(version(), width);
  if (words.length === 0 && wants('--version', '-v')) return `${version()}\n`;
  if (words.length > 0 && isGroup(words)) return groupHelp(words, width);
  throw unknownCommand(words.length > 0 ? words : argv);
}

function isGroup(words: readonly string[]): boolean {
  return commands.some((command) => words.every((word, index) => command.words[index] === word));
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
function globalFlagsLast(argv: readonly string[]): readonly string[] {
  const [first = ''] = argv;
  const count = first === '--org' ? 2 : first === '--json' || first.startsWith('--org=') ? 1 : 0;
  if (count === 0 || argv.length <= count) return argv;
  return [...globalFlagsLast(argv.slice(count)), ...argv.slice(0, count)];
}

function version(): string {
  const manifest = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
