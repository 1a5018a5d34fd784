import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { parse as parseTomlText } from 'smol-toml';
import { parse as parseYamlText } from 'yaml';
import { PlanRefused } from '../../plan.ts';

export type Table = Readonly<Record<string, unknown>>;

/** With comments and trailing commas forgiven: `tsconfig.json`, `deno.jsonc` and others have them by custom. */
export function parseJson(path: string, text: string): Table {
  const errors: ParseError[] = [];
  const clean = text.replace(/^\uFEFF/, '');
  const value: unknown = parse(clean, errors, { allowTrailingComma: true, disallowComments: false });
  const [error] = errors;
  if (error) throw refused(path, 'JSON', `${printParseErrorCode(error.error)} in line ${lineOf(clean, error.offset)}`);
  return requireTable(path, value);
}

/** A list or a text where every reader expects an object is a mistake worth naming. */
export function requireTable(place: string, value: unknown): Table {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Table;
  throw new PlanRefused(
    `${place} must hold an object ({ … }), but holds ${kindOf(value)}. Correct the file and deploy again.`,
  );
}

/** What a value is, in words: `a number`. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return { string: 'a text', number: 'a number', boolean: 'true or false' }[typeof value as string] ?? 'an object';
}

export function parseToml(path: string, text: string): Table {
  return parseWith(path, 'TOML', () => parseTomlText(text.replace(/^\uFEFF/, '')));
}

export function parseYaml(path: string, text: string): Table {
  return parseWith(path, 'YAML', () => parseYamlText(text, { prettyErrors: false, logLevel: 'error' }) as unknown);
}

/** Anything else than an object counts as an empty one. */
export function toTable(value: unknown): Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Table) : {};
}

export function toText(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

export function toTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The values that are texts, by their keys. */
export function toTextTable(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(toTable(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function parseWith(path: string, format: string, work: () => unknown): Table {
  try {
    return toTable(work());
  } catch (error) {
    throw refused(path, format, (error as Error).message.split('\n')[0] ?? '');
  }
}

function refused(path: string, format: string, why: string): PlanRefused {
  return new PlanRefused(`${path} is not valid ${format} (${why}). Correct the file and deploy again.`);
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
