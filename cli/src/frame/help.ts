import { commands, placeOf, usageOf, type Command } from './command.ts';
import { hasSeveral, type Flag } from './flag.ts';
import { operatorCommands } from '../operator/operator-commands.ts';
import { preparationHints } from './prepare-call.ts';
import { columnWidths } from '../terminal/table.ts';
import { wrapText } from '../terminal/wrap-text.ts';

export function generalHelp(version: string, width: number): string {
  return sections(width, [
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
export function groupHelp(group: readonly string[], width: number): string {
  const members = commands.filter(({ words }) => group.every((word, index) => words[index] === word));
  return sections(width, [
    `Usage: lilac ${group.join(' ')} <command>`,
    section('Commands', members.map(commandLine)),
    '"lilac <command> --help" tells the arguments of a command.',
  ]);
}

export function commandHelp(command: Command, width: number): string {
  const options = command.flags.filter((flag) => !command.positionals.includes(flag));
  const common: [string, string][] = [
    ...(command.organisation ? [['--org ID', 'the organisation; not needed with an API key'] as [string, string]] : []),
    ['--json', 'print the answer as JSON'],
  ];
  return sections(width, [
    `${command.summary}.`,
    command.description ?? '',
    command.own || !command.endpoint ? '' : (preparationHints[command.endpoint] ?? ''),
    `Usage: ${usageOf(command)} [options]`,
    section('Arguments', [
      ...command.positionals.map((flag) => [placeOf(flag), describeFlag(flag)]),
      ...(command.own?.more ? [[`<${command.own.more}>`, 'may be repeated']] : []),
    ]),
    section('Options', [...options.map((flag) => [optionOf(flag), describeFlag(flag)]), ...common]),
  ]);
}

function commandLine({ words, summary }: { words: readonly string[]; summary: string }): string[] {
  return [words.join(' '), summary];
}

function optionOf(flag: Flag): string {
  const short = flag.short ? `-${flag.short}, ` : '';
  if (flag.kind === 'switch') return `${short}--[no-]${flag.name}`;
  return `${short}--${flag.name} ${placeholders[flag.kind]}`;
}

const placeholders: Record<Exclude<Flag['kind'], 'switch'>, string> = {
  text: 'VALUE',
  number: 'N',
  list: 'VALUE',
  pairs: 'NAME=VALUE',
  objects: 'JSON',
};

function describeFlag(flag: Flag): string {
  const nullable = flag.isNullable && !flag.description.includes('null') ? 'may be null' : '';
  const isList = flag.kind === 'list' && flag.choices.length > 0;
  const repeated = isList ? 'several with commas' : hasSeveral(flag) ? 'may be repeated' : '';
  return [flag.description, repeated, nullable].filter(Boolean).join('; ');
}

interface Section {
  title: string;
  rows: readonly string[][];
}

function section(title: string, rows: readonly string[][]): Section {
  return { title, rows };
}

function sections(width: number, parts: readonly (string | Section)[]): string {
  const texts = parts.map((part) =>
    typeof part === 'string' ? wrapText(part, width).join('\n') : render(part, width),
  );
  return `${texts.filter(Boolean).join('\n\n')}\n`;
}

/** Two columns; what does not fit into the second goes on below itself. */
function render({ title, rows }: Section, width: number): string {
  if (rows.length === 0) return '';
  const first = columnWidths(rows)[0]! + 4;
  const lines = rows.flatMap(([name = '', words = '']) =>
    wrapText(words, Math.max(NARROWEST_WORDS, width - first)).map((line, index) =>
      `${(index === 0 ? `  ${name}` : '').padEnd(first)}${line}`.trimEnd(),
    ),
  );
  return [title, ...lines].join('\n');
}

const NARROWEST_WORDS = 20;
