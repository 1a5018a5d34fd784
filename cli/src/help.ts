import { commands, usageOf, type Command } from './command.ts';
import type { Flag } from './flag.ts';
import { operatorCommands } from './operator-commands.ts';
import { preparationHints } from './prepare-call.ts';
import { alignColumns } from './table.ts';

export function generalHelp(version: string): string {
  return sections([
    `Lilac ${version}: deploy web projects on machines of your own.`,
    'Usage: lilac <command> [arguments] [--org ID] [--json]',
    section('Commands', commands.map(commandLine)),
    section("For whoever runs the platform, on the platform's machine", operatorCommands.map(commandLine)),
    section('Environment', [
      ['LILAC_API_URL', 'where the platform is; http://localhost:<LILAC_PORT or 7080> when not set'],
      ['LILAC_TOKEN', 'an API key (lc_…) or a session token'],
    ]),
    '"lilac <command> --help" tells the arguments of a command.',
  ]);
}

/** For `lilac apps`: what can follow. */
export function groupHelp(group: readonly string[]): string {
  const members = commands.filter(({ words }) => group.every((word, index) => words[index] === word));
  return sections([
    `Usage: lilac ${group.join(' ')} <command>`,
    section('Commands', members.map(commandLine)),
    '"lilac <command> --help" tells the arguments of a command.',
  ]);
}

export function commandHelp(command: Command): string {
  const options = command.flags.filter((flag) => !command.positionals.includes(flag));
  const common: [string, string][] = [
    ...(command.organisation ? [['--org ID', 'the organisation; not needed with an API key'] as [string, string]] : []),
    ['--json', 'print the answer as JSON'],
  ];
  return sections([
    `${command.summary}.`,
    command.description ?? '',
    command.own ? '' : (preparationHints[command.endpoint] ?? ''),
    `Usage: ${usageOf(command)} [options]`,
    section('Arguments', [
      ...command.positionals.map((flag) => [`<${flag.name}>`, describeFlag(flag)]),
      ...(command.own?.more ? [[`<${command.own.more}>`, 'may be repeated']] : []),
    ]),
    section('Options', [...options.map((flag) => [optionOf(flag), describeFlag(flag)]), ...common]),
  ]);
}

function commandLine({ words, summary }: { words: readonly string[]; summary: string }): string[] {
  return [words.join(' '), summary];
}

function optionOf(flag: Flag): string {
  if (flag.kind === 'switch') return `--[no-]${flag.name}`;
  return `--${flag.name} ${placeholders[flag.kind]}`;
}

const placeholders: Record<Exclude<Flag['kind'], 'switch'>, string> = {
  text: 'VALUE',
  number: 'N',
  list: 'VALUE',
  pairs: 'NAME=VALUE',
};

function describeFlag(flag: Flag): string {
  const nullable = flag.isNullable && !flag.description.includes('null') ? 'may be null' : '';
  const repeated = flag.kind === 'list' || flag.kind === 'pairs' ? 'may be repeated' : '';
  return [flag.description, repeated, nullable].filter(Boolean).join('; ');
}

function section(title: string, rows: readonly string[][]): string {
  return rows.length === 0 ? '' : `${title}\n${alignColumns(rows, '  ')}`;
}

function sections(parts: readonly string[]): string {
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}
