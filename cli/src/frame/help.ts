import { commands, placeOf, usageOf, type Command } from './command.ts';
import { takesEnvironment } from '../link/left-to-link.ts';
import { commonOptions, repositoryHosts } from './general-help.ts';
import { describeFlag, optionOf } from './describe-flag.ts';
import { helpText, section } from './help-text.ts';
import { inOwnWords } from './own-words.ts';
import { preparationHints } from './prepare-call.ts';
import { groupNames } from './short-words.ts';

/** For `lilac apps --help`: what can follow. */
export function groupHelp(group: readonly string[], width: number): string {
  const members = commands.filter(({ words }) => group.every((word, index) => words[index] === word));
  const [name = '', ...more] = group;
  return helpText(width, [
    ...(more.length === 0 ? [aboutHost(name)] : []),
    `Usage: lilac ${group.join(' ')} <command>`,
    section('Commands', members.map(commandLine)),
    '"lilac <command> --help" tells the arguments of a command.',
    ...(more.length === 0 ? [aboutOtherGroup(name)] : []),
  ]);
}

function aboutHost(group: string): string {
  const host = repositoryHosts[group];
  return host ? `${group} (${host}): "lilac ${host.toLowerCase()}" is understood as well.` : '';
}

/** `env` has commands of its own, and stands for `envs` before the words of that. */
function aboutOtherGroup(group: string): string {
  const other = groupNames[group];
  return other ? `"${group}" also stands for "${other}": lilac ${group} create` : '';
}

export function commandHelp(command: Command, width: number): string {
  const options = command.flags.filter((flag) => !command.positionals.includes(flag));
  const isSaid: Record<string, boolean> = { '--org': takesOrganisation(command), '--env': takesEnvironment(command) };
  const common = commonOptions.filter(([name]) => isSaid[name!.split(' ')[0]!] ?? true);
  return helpText(width, [
    `${command.summary}.`,
    inOwnWords(command.description ?? '', command),
    command.own || !command.endpoint ? '' : (preparationHints[command.endpoint] ?? ''),
    `Usage: ${usageOf(command)} [options]`,
    section('Arguments', [
      ...command.positionals.map((flag) => [placeOf(flag), describeFlag(flag, command)]),
      ...(command.own?.more ? [[`<${command.own.more}>`, 'may be repeated']] : []),
    ]),
    section('Options', [...options.map((flag) => [optionOf(flag), describeFlag(flag, command)]), ...common]),
  ]);
}

const takesOrganisation = ({ organisation, own }: Command) => organisation !== null || own?.endpoint === null;

function commandLine({ words, summary }: { words: readonly string[]; summary: string }): string[] {
  return [words.join(' '), summary];
}
