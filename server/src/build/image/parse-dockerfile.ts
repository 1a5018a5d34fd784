import { BuildFailed } from '../builder.ts';

/** One instruction, as the engine would read it. */
export interface Instruction {
  /** In capitals. */
  keyword: string;
  /** `--from=build`: what stands before everything else. */
  flags: readonly Flag[];
  /** Without the flags. */
  rest: string;
  /** Where it begins, from 1. */
  line: number;
}

export interface Flag {
  name: string;
  value: string;
}

export const KEYWORDS = [
  'ADD',
  'ARG',
  'CMD',
  'COPY',
  'ENTRYPOINT',
  'ENV',
  'EXPOSE',
  'FROM',
  'HEALTHCHECK',
  'LABEL',
  'MAINTAINER',
  'ONBUILD',
  'RUN',
  'SHELL',
  'STOPSIGNAL',
  'USER',
  'VOLUME',
  'WORKDIR',
] as const;

const DIRECTIVE = /^#\s*escape\s*=\s*(\S)/i;
const CONTINUED = /(^|[^\\])\\[ \t]*$/;

/** Rejects with `BuildFailed` what is no Dockerfile, or one that engines do not all read alike. */
export function parseDockerfile(text: string): Instruction[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  refuseOtherEscape(lines);
  const instructions: Instruction[] = [];
  for (let index = 0; index < lines.length; index++) {
    if (isNothing(lines[index]!)) continue;
    const line = index + 1;
    let whole = lines[index]!.trimStart();
    while (CONTINUED.test(whole) && index + 1 < lines.length) {
      index += 1;
      if (!isNothing(lines[index]!)) whole = whole.replace(/\\[ \t]*$/, '') + lines[index];
    }
    instructions.push(readInstruction(whole, line));
  }
  return instructions;
}

/** The same of one line, such as a base image keeps for those who build on it. */
export function readInstruction(whole: string, line: number): Instruction {
  const [, word = '', after = ''] = whole.trim().match(/^(\S+)(?:\s+([^]*))?$/) ?? [];
  const keyword = word.toUpperCase();
  if (!(KEYWORDS as readonly string[]).includes(keyword)) {
    throw refuse(line, `“${word.slice(0, 40)}” is no instruction of a Dockerfile.`);
  }
  if (/\\\s*$/.test(after)) throw refuse(line, 'It ends with a backslash, and no line follows that it could go on in.');
  if (after.includes('\0')) throw refuse(line, 'It holds a character that no text has.');
  return { keyword, line, ...splitFlags(after.trim()) };
}

export function refuse(line: number, sentence: string): BuildFailed {
  return new BuildFailed(`Line ${line} of the Dockerfile: ${sentence}`);
}

export function writeInstruction({ keyword, flags, rest }: Pick<Instruction, 'keyword' | 'flags' | 'rest'>): string {
  const before = flags.map(({ name, value }) => (value === '' ? `--${name}` : `--${name}=${value}`));
  return [keyword, ...before, rest].join(' ').trimEnd();
}

/** The words of a list: `["a", "b c"]`, or `a b`. */
export function wordsOf(rest: string): string[] {
  return listOf(rest) ?? rest.split(/\s+/).filter((word) => word !== '');
}

/** Null where it is no list as JSON has it. */
function listOf(rest: string): string[] | null {
  if (!rest.startsWith('[')) return null;
  try {
    const list: unknown = JSON.parse(rest);
    return Array.isArray(list) && list.every((word) => typeof word === 'string') ? list : null;
  } catch {
    return null;
  }
}

function splitFlags(text: string): Pick<Instruction, 'flags' | 'rest'> {
  const flags: Flag[] = [];
  let rest = text;
  for (let match; (match = /^--([\w-]+)(?:=(\S*))?(?:\s+|$)/.exec(rest)); rest = rest.slice(match[0].length)) {
    flags.push({ name: match[1]!, value: match[2] ?? '' });
  }
  return { flags, rest };
}

const isNothing = (line: string): boolean => /^\s*(#|$)/.test(line);

function refuseOtherEscape(lines: readonly string[]): void {
  for (const [index, line] of lines.entries()) {
    if (!line.trimStart().startsWith('#')) return;
    const escape = DIRECTIVE.exec(line.trimStart())?.[1];
    if (escape !== undefined && escape !== '\\') {
      throw refuse(index + 1, 'Lines can be continued with a backslash only: remove the escape directive.');
    }
  }
}
