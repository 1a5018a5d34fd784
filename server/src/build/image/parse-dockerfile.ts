import { BuildFailed } from '../builder.ts';

/** One instruction, as the engine would read it. */
export interface Instruction {
  keyword: Keyword;
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

/** Something that a line of a Dockerfile names: an image, or a file. */
export interface Named {
  name: string;
  line: number;
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
export type Keyword = (typeof KEYWORDS)[number];

/** Engines make no image of more than 127 layers. */
const MAX_INSTRUCTIONS = 500;
const MAX_FLAGS = 20;
const DIRECTIVE = /^#\s*escape\s*=\s*(\S)/i;
const CONTINUED = /(^|[^\\])\\[ \t]*$/;
/** Some take these for spaces or the end of a line, some do not; the last one stands for what is no text. */
const ODD = /(?![\t ])[\p{Cc}\p{Cs}\p{Z}\uFEFF\uFFFD]/u;
/** Engines take quotes and backslashes out of options before they look at them: so there are none. */
const FLAG = /^--([a-z][a-z-]*)(?:=([!#-&(-[\]-~]*))?(?:[\t ]+|$)/;
/** What newer engines take for the beginning of a text in the lines that follow. */
const HEREDOC = /(?:^|[\s{}:+?=-])\d*<<-?[^\s<]/;

/** Rejects with `BuildFailed` what is no Dockerfile, or one that engines do not all read alike. */
export function parseDockerfile(text: string): Instruction[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n|\r$/);
  refuseOtherEscape(lines);
  const instructions: Instruction[] = [];
  for (let index = 0; index < lines.length; index++) {
    if (isNothing(lines[index]!)) continue;
    const line = index + 1;
    const parts = [lines[index]!];
    while (CONTINUED.test(parts.at(-1)!) && index + 1 < lines.length) {
      index += 1;
      if (isNothing(lines[index]!)) continue;
      parts.push(parts.pop()!.replace(/\\[ \t]*$/, ''), lines[index]!);
    }
    if (instructions.length === MAX_INSTRUCTIONS) {
      throw refuse(line, `It has more than ${MAX_INSTRUCTIONS} instructions. Join some, or split it.`);
    }
    instructions.push(readInstruction(parts.join(''), line));
  }
  return instructions;
}

export function refuse(line: number, sentence: string): BuildFailed {
  return new BuildFailed(`Line ${line} of the Dockerfile: ${sentence}`);
}

/** The words of a list: `["a", "b c"]`, or `a b`. */
export function wordsOf(rest: string): string[] {
  return listOf(rest) ?? rest.split(/[\t ]+/).filter((word) => word !== '');
}

/** Null where it is no list as JSON has it. */
export function listOf(rest: string): string[] | null {
  if (!rest.startsWith('[')) return null;
  try {
    const list: unknown = JSON.parse(rest);
    return Array.isArray(list) && list.every((word) => typeof word === 'string') ? list : null;
  } catch {
    return null;
  }
}

function readInstruction(whole: string, line: number): Instruction {
  const odd = ODD.exec(whole)?.[0];
  if (odd !== undefined) {
    const code = odd.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    throw refuse(line, `It holds the character U+${code}, which engines read in different ways. Write a plain space.`);
  }
  const [, word = '', after = ''] = /^(\S+)(?:\s+(.*))?$/.exec(whole.trim()) ?? [];
  const keyword = KEYWORDS.find((known) => known === word.toUpperCase());
  if (!keyword) throw refuse(line, `“${word.slice(0, 40)}” is no instruction of a Dockerfile.`);
  if (after.endsWith('\\')) throw refuse(line, 'It ends with a backslash, and no line follows that it could go on in.');
  if (['RUN', 'COPY', 'ADD'].includes(keyword) && HEREDOC.test(after)) {
    throw refuse(line, 'Text after << needs BuildKit, which the platform does not use. Join its lines with && \\.');
  }
  return { keyword, line, ...splitFlags(after, line) };
}

function splitFlags(text: string, line: number): Pick<Instruction, 'flags' | 'rest'> {
  const flags: Flag[] = [];
  let rest = text;
  for (let match; (match = FLAG.exec(rest)); rest = rest.slice(match[0].length)) {
    const [, name = '', value = ''] = match;
    if (flags.length === MAX_FLAGS)
      throw refuse(line, `It has more than ${MAX_FLAGS} options. No instruction takes as many.`);
    if (flags.some((flag) => flag.name === name)) throw refuse(line, `--${name} is there twice.`);
    flags.push({ name, value });
  }
  if (!rest.startsWith('--')) return { flags, rest };
  throw refuse(line, 'Options must read --name=value, without quotes, backslashes and letters that are not English.');
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
