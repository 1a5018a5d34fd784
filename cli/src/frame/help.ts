import { commands, placeOf, usageOf, type Command } from './command.ts';
import { takesEnvironment } from '../link/left-to-link.ts';
import { commonOptions } from './general-help.ts';
import { hasSeveral, type Flag } from './flag.ts';
import { helpText, section } from './help-text.ts';
import { preparationHints } from './prepare-call.ts';

/** For `lilac apps --help`: what can follow. */
export function groupHelp(group: readonly string[], width: number): string {
  const members = commands.filter(({ words }) => group.every((word, index) => words[index] === word));
  return helpText(width, [
    `Usage: lilac ${group.join(' ')} <command>`,
    section('Commands', members.map(commandLine)),
    '"lilac <command> --help" tells the arguments of a command.',
  ]);
}

export function commandHelp(command: Command, width: number): string {
  const options = command.flags.filter((flag) => !command.positionals.includes(flag));
  const isSaid: Record<string, boolean> = { '--org': takesOrganisation(command), '--env': takesEnvironment(command) };
  const common = commonOptions.filter(([name]) => isSaid[name!.split(' ')[0]!] ?? true);
  return helpText(width, [
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

const takesOrganisation = ({ organisation, own }: Command) => organisation !== null || own?.endpoint === null;

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
