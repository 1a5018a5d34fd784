import type { EndpointDeclaration } from '@lilac/contract/endpoint';
import { declarationOf, endpointNames, type EndpointName } from '@lilac/contract/endpoints';
import { flagsOf, type Field, type Flag } from './flag.ts';
import type { OwnCommand } from './own-command.ts';
import { groupNames, shortWords } from './short-words.ts';
import { completionCommand } from '../completion/completion-command.ts';
import { databaseCommands } from '../databases/database-commands.ts';
import { deletionCommands } from '../deletion/deletion-commands.ts';
import { deployCommand } from '../deploy/deploy-command.ts';
import { domainCommands } from '../domains/domain-commands.ts';
import { environmentCommands } from '../databases/environment-databases.ts';
import { isTarget } from '../link/left-to-link.ts';
import { linkCommands } from '../link/link-commands.ts';
import { logCommands } from '../logs/log-commands.ts';
import { mcpCommand } from '../mcp/mcp-command.ts';
import { metricCommands } from '../metrics/metric-commands.ts';
import { descriptionsOfLists } from '../repository-hosts/descriptions-of-lists.ts';
import { repositoryHostCommands } from '../repository-hosts/repository-host-commands.ts';
import { rollbackCommand } from '../deploy/rollback-command.ts';
import { scaleCommand } from '../deploy/scale-command.ts';
import { sessionCommands } from '../session/session-commands.ts';
import { transferCommands } from '../databases/transfer-commands.ts';
import { variableCommands } from '../variables/variable-commands.ts';

/** One endpoint as words in a terminal: `lilac apps get <application-id>`; or more than one, where `own` says how. */
export interface Command {
  words: readonly string[];
  summary: string;
  description: string | undefined;
  /** Null where it calls none, or many. */
  endpoint: EndpointName | null;
  flags: readonly Flag[];
  /** What must be given may be given without its flag, in this order. */
  positionals: readonly Flag[];
  /** Where `--org` goes; null where no organisation is asked for. */
  organisation: Field | null;
  own: OwnCommand | null;
}

const ownCommands: readonly OwnCommand[] = [
  completionCommand,
  ...sessionCommands,
  ...linkCommands,
  deployCommand,
  rollbackCommand,
  scaleCommand,
  ...deletionCommands,
  ...environmentCommands,
  ...variableCommands,
  ...logCommands,
  ...metricCommands,
  mcpCommand,
  ...databaseCommands,
  ...transferCommands,
  ...repositoryHostCommands,
  ...domainCommands,
];

const wholeCommands: readonly Command[] = [
  ...ownCommands.filter(({ endpoint }) => endpoint === null).map(toOwnCommand),
  ...endpointNames.flatMap(commandsOf),
];

export const commands: readonly Command[] = [...wholeCommands, ...Object.entries(shortWords).map(toShortCommand)];

function commandsOf(endpoint: EndpointName): Command[] {
  const declaration = declarationOf(endpoint);
  const own = ownCommands.filter((command) => command.endpoint === endpoint).map(toOwnCommand);
  const derived = declaration.cli ? [toCommand(endpoint, declaration, declaration.cli)] : [];
  // One of our own under the same words does more for people, and takes its place.
  const isReplaced = ({ words }: Command) => own.some((command) => command.words.join(' ') === words.join(' '));
  return [...derived.filter((command) => !isReplaced(command)), ...own];
}

function toCommand(endpoint: EndpointName, declaration: EndpointDeclaration, words: readonly string[]): Command {
  const organisation = organisationOf(declaration);
  const flags = flagsOf(declaration).filter((flag) => flag.key !== organisation?.key);
  return {
    words,
    summary: declaration.summary,
    description: descriptionsOfLists[endpoint] ?? declaration.description,
    endpoint,
    flags,
    positionals: [...flags.filter(isNeeded('text')), ...flags.filter(isNeeded('list')).slice(-1)],
    organisation,
    own: null,
  };
}

/** A list takes all the words that are left, so there can be one. */
function isNeeded(kind: Flag['kind']) {
  return (flag: Flag) => flag.isRequired && flag.kind === kind;
}

function toOwnCommand(own: OwnCommand): Command {
  const { words, summary, description, endpoint } = own;
  const { flags, positionals, ...command } = endpoint
    ? toCommand(endpoint, declarationOf(endpoint), words)
    : nobodys(words);
  const isKept = (flag: Flag) => own.arguments.includes(flag.key);
  return {
    ...command,
    summary,
    description,
    flags: [...flags.filter(isKept), ...(own.flags ?? [])],
    positionals: [...positionals.filter(isKept), ...(own.flags ?? []).filter(({ isPositional }) => isPositional)],
    own,
  };
}

function toShortCommand([word, name]: [string, string]): Command {
  return { ...wholeCommands.find(({ words }) => words.join(' ') === name)!, words: [word] };
}

function nobodys(words: readonly string[]): Omit<Command, 'summary' | 'description'> {
  return { words, endpoint: null, flags: [], positionals: [], organisation: null, own: null };
}

/** How to call it: what must be given, in its order. */
export function usageOf({ words, positionals, flags, own }: Command): string {
  const needed = flags.filter((flag) => flag.isRequired && !positionals.includes(flag));
  return [
    'lilac',
    ...words,
    ...positionals.map((flag) => (isNeverLeftOut(flag, words) ? placeOf(flag) : `[${placeOf(flag)}]`)),
    ...(own?.more ? [`<${own.more}>…`] : []),
    ...needed.map((flag) => (flag.kind === 'switch' ? `--${flag.name}|--no-${flag.name}` : `--${flag.name} …`)),
  ].join(' ');
}

/** The folder's link stands in for some, but for nothing that deletes. */
function isNeverLeftOut(flag: Flag, words: readonly string[]): boolean {
  return flag.isRequired && !(isTarget(flag) && words.at(-1) !== 'delete');
}

/** What stands for a word, or for all that are left. */
export function placeOf({ name, kind }: Flag): string {
  return kind === 'list' ? `<${name.replace(/s$/, '')}>…` : `<${name}>`;
}

function organisationOf({ organisation }: EndpointDeclaration): Field | null {
  if (!organisation) return null;
  const [part, key] = organisation.split('.') as [Field['part'], string];
  return { part, key };
}

/** The command that the first words name, the longest name first, and what follows it. */
export function findCommand(argv: readonly string[]): { command: Command; rest: string[] } | null {
  const [first = '', second] = argv;
  const found = findExactly(argv);
  // `env` has commands of its own, and alone it is they that are meant, not `envs`.
  if (!found && isGroup(first) && (second === undefined || second.startsWith('-'))) return null;
  return found ?? findExactly([groupNames[first] ?? '', ...argv.slice(1)]);
}

/** Whether other words can follow it: `orgs`, `env`. */
export function isGroup(word: string): boolean {
  return commands.some(({ words }) => words.length > 1 && words[0] === word);
}

function findExactly(argv: readonly string[]): { command: Command; rest: string[] } | null {
  const fits = ({ words }: Command) => words.every((word, index) => argv[index] === word);
  const command = commands.filter(fits).toSorted((a, b) => b.words.length - a.words.length)[0];
  return command ? { command, rest: argv.slice(command.words.length) } : null;
}
