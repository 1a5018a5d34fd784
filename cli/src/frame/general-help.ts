import { operatorCommands } from '../operator/operator-commands.ts';
import { TOGETHER } from '../terminal/wrap-text.ts';
import { helpText, section, type Section } from './help-text.ts';

/** A command as a list of them shows it. */
export interface CommandSummary {
  words: readonly string[];
  summary: string;
}

/** What a person needs from the first day to the first release, in that order. */
const firstWords = ['login', 'init', 'link', 'deploy', 'logs', 'open', 'rollback', 'env', 'scale', 'metrics', 'whoami'];

/** A group among them. */
const variables: CommandSummary = { words: ['env'], summary: 'Set, list, pull or push variables' };

/** Which repository host a group is about. */
export const repositoryHosts: Readonly<Record<string, string>> = {
  vcs: 'GitHub',
  provider2: 'GitLab',
  provider3: 'Bitbucket',
};

/** The commands people use most, each with a line; of the others what they are about, and what can be done to it. */
export function generalHelp(commands: readonly CommandSummary[], version: string, width: number): string {
  const single = commands.filter(({ words }) => words.length === 1);
  const isFirst = ({ words }: CommandSummary) => firstWords.includes(words[0]!);
  const groupNames = new Set(commands.flatMap(({ words }) => (words.length > 1 ? words[0]! : [])));
  const isMore = (command: CommandSummary) => !isFirst(command) && !groupNames.has(command.words[0]!);
  const first = firstWords.flatMap((word) => [...single, variables].filter(({ words }) => words[0] === word));
  return helpText(width, [
    `Lilac ${version}: deploy web projects on machines of your own.`,
    'Usage: lilac <command> [arguments] [options]',
    section('Every day', first.map(line)),
    section('By subject', groups(commands)),
    section('More', single.filter(isMore).map(line)),
    operatorSection(),
    section('Options of every command', commonOptions),
    section('Environment', environmentVariables),
    '"lilac <command> --help" tells what a command takes, and what a group has: lilac apps --help',
  ]);
}

/** `apps` → `list, get, status`. */
function groups(commands: readonly CommandSummary[]): string[][] {
  const members = new Map<string, Set<string>>();
  for (const { words } of commands) {
    if (words.length > 1) members.set(words[0]!, (members.get(words[0]!) ?? new Set()).add(words[1]!));
  }
  return [...members].map(([name, seconds]) => [titleOf(name), [...seconds].join(', ')]);
}

/** `vcs` alone does not say whose repositories it is about. */
const titleOf = (group: string) => (repositoryHosts[group] ? `${group} (${repositoryHosts[group]})` : group);

function operatorSection(): Section {
  const single = operatorCommands.filter(({ words }) => words.length === 1);
  const many = operatorCommands
    .filter(({ words }) => words.length > 1)
    .map(({ words }) => words.slice(1).join(TOGETHER));
  return section("For whoever runs the platform, on the platform's machine", [
    ...single.map(line),
    ['admin', many.join(', ')],
  ]);
}

const line = ({ words, summary }: CommandSummary): string[] => [words.join(' '), summary];

export const commonOptions: string[][] = [
  ['--json', 'print the answer as JSON, and what went wrong too'],
  ['--org ORG', 'the organisation: its id, slug or name; not needed with an API key'],
  ['--env NAME', 'which environment of the application, where a command is about one'],
  ['--api-url URL', 'where the platform is'],
];

const environmentVariables: string[][] = [
  ['LILAC_API_URL', 'where the platform is'],
  ['LILAC_TOKEN', 'an API key (lc_…) or a session token, in place of "lilac login"'],
];
