/** What a file of rules says, and which of its lines cannot be used. */
export interface ParsedRules<Rule> {
  rules: Rule[];
  problems: RuleProblem[];
}

export interface RuleProblem {
  /** Counts from 1. */
  line: number;
  /** For whoever wrote the line. */
  reason: string;
}

export interface RuleLine {
  number: number;
  text: string;
  isIndented: boolean;
}

/** Why a line cannot be used. */
export class UnusableLine extends Error {}

/** The lines that say something: no comments, no empty ones. */
export function ruleLines(text: string): RuleLine[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .map((line, at) => ({ number: at + 1, text: line.trim(), isIndented: /^\s/.test(line) }))
    .filter((line) => line.text !== '' && !line.text.startsWith('#'));
}

/**
 * A pattern of paths in the form that the manifest has: literal segments, `:name` for one segment, a
 * final `*` for the rest, in the characters that are meant (`%20` is a space).
 */
export function readPattern(text: string): string {
  if (!text.startsWith('/')) {
    throw new UnusableLine('a path begins with "/"; rules for other hosts are not supported.');
  }
  if (/[?#]/.test(text)) throw new UnusableLine('a path cannot hold "?" or "#".');
  if (/\*./.test(text)) throw new UnusableLine('"*" may stand only at the end of a path.');
  if (/[^/]\*$/.test(text)) throw new UnusableLine('"*" stands for whole segments: write it behind a "/".');
  const names = placeholdersOf(text);
  if (new Set(names).size < names.length) throw new UnusableLine('a placeholder may stand in a path once.');
  return decodePath(text);
}

/** The names of `:name` segments. */
export function placeholdersOf(pattern: string): string[] {
  return [...pattern.matchAll(/\/:([A-Za-z_]\w*)(?=\/|$)/g)].map((match) => match[1]!);
}

export function decodePath(text: string): string {
  try {
    const decoded = text.split('/').map(decodeSegment).join('/');
    if (!hasControls(decoded)) return decoded;
  } catch {
    // Said below.
  }
  throw new UnusableLine(`"${text}" is not a valid path.`);
}

/** An encoded slash is no separator, so it stays as it is. */
function decodeSegment(segment: string): string {
  return decodeURIComponent(segment.replaceAll(/%2f/gi, '%252F'));
}

export function hasControls(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- they would end the line of a header
  return /[\x00-\x1f\x7f]/.test(text);
}
