import { checkLabels } from './check-labels.ts';
import { listOf, wordsOf, type Instruction } from './parse-dockerfile.ts';

type Parts = Pick<Instruction, 'keyword' | 'flags' | 'rest' | 'line'>;

/**
 * An instruction in the one form that all engines read alike, made of what was understood. Lists are lists of JSON;
 * what is left as it stands is what only the build's own container ever reads, or a name, or a value.
 */
export function writeInstruction(instruction: Parts): string {
  return join(instruction, restOf(instruction));
}

/** As the project has it, on one line. */
export const showInstruction = (instruction: Parts): string => join(instruction, instruction.rest);

function join({ keyword, flags }: Parts, rest: string): string {
  const before = flags.map(({ name, value }) => (value === '' ? `--${name}` : `--${name}=${value}`));
  return [keyword, ...before, rest].join(' ').trimEnd();
}

function restOf({ keyword, rest, line }: Parts): string {
  switch (keyword) {
    case 'COPY':
    case 'VOLUME':
      return asList(wordsOf(rest));
    case 'RUN':
    case 'CMD':
    case 'ENTRYPOINT':
    case 'SHELL': {
      const list = listOf(rest);
      return list ? asList(list) : rest;
    }
    case 'LABEL':
      return checkLabels(rest, line);
    default:
      return rest;
  }
}

/** Nothing in it is anything but plain letters, whatever it stands for. */
const asList = (words: readonly string[]): string =>
  JSON.stringify(words).replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
