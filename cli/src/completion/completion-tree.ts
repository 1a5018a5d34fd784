import { commands, type Command } from '../frame/command.ts';
import { describeFlag } from '../frame/describe-flag.ts';
import { type Flag, switchForms } from '../frame/flag.ts';
import { commonOptions } from '../frame/general-help.ts';
import { operatorCommands } from '../operator/operator-commands.ts';

export interface CompletionFlag {
  /** With its dashes. */
  name: string;
  takesValue: boolean;
  choices: readonly string[];
  description: string;
}

/** What can come after some words. */
export interface CompletionNode {
  /** `envs scale`; empty before the first word. */
  path: string;
  /** Further words, and what each is. */
  next: readonly { word: string; description: string }[];
  flags: readonly CompletionFlag[];
}

const commonFlags: readonly CompletionFlag[] = commonOptions.map(([option = '', description = '']) => {
  const [name = '', value] = option.split(' ');
  return { name, takesValue: value !== undefined, choices: [], description };
});

export function completionTree(): CompletionNode[] {
  const all = [...commands, ...operatorCommands];
  const paths = new Set(all.flatMap(({ words }) => words.map((_, index) => words.slice(0, index).join(' '))));
  for (const { words } of commands) paths.add(words.join(' '));
  return [...paths].map((path) => ({ path, next: [...nextWords(path), ...wordChoices(path)], flags: flagsAt(path) }));
}

function nextWords(path: string): CompletionNode['next'] {
  const depth = path === '' ? 0 : path.split(' ').length;
  const found = new Map<string, string>();
  for (const { words, summary } of [...commands, ...operatorCommands]) {
    const word = words[depth];
    if (word === undefined || words.slice(0, depth).join(' ') !== path) continue;
    const isWhole = words.length === depth + 1;
    if (isWhole || !found.has(word)) found.set(word, isWhole ? summary : `commands about ${word}`);
  }
  return [...found].map(([word, description]) => ({ word, description }));
}

function wordChoices(path: string): CompletionNode['next'] {
  const positionals = commands.find(({ words }) => words.join(' ') === path)?.positionals ?? [];
  return positionals.flatMap(({ choices, name }) => choices.map((word) => ({ word, description: name })));
}

function flagsAt(path: string): CompletionFlag[] {
  const command = commands.find(({ words }) => words.join(' ') === path);
  return command ? [...command.flags.flatMap((flag) => toFlags(flag, command)), ...commonFlags] : [];
}

function toFlags(flag: Flag, command: Command): CompletionFlag[] {
  const { kind, choices } = flag;
  const description = describeFlag(flag, command);
  const names = kind === 'switch' ? switchForms(flag) : [`--${flag.name}`];
  return names.map((name) => ({ name, takesValue: kind !== 'switch', choices, description }));
}
