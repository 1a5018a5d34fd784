import { createScanner, type ParseError, parse, printParseErrorCode, type SyntaxKind } from 'jsonc-parser';
import { parse as parseTomlText } from 'smol-toml';
import { isCollection, isMap, isScalar, parseDocument, visit, type YAMLMap } from 'yaml';
import { PlanRefused } from '../../plan.ts';

export type Table = Readonly<Record<string, unknown>>;

/** No person writes a deeper file, and what reads one calls itself for each level. */
const MAX_DEPTH = 100;
/** Settings are shorter by far, and YAML takes long to read: what it is read on is there for others too. */
const MAX_YAML_CHARACTERS = 128 * 1024;

/** With comments and trailing commas forgiven: `tsconfig.json`, `deno.jsonc` and others have them by custom. */
export function parseJson(path: string, text: string): Table {
  const errors: ParseError[] = [];
  const clean = text.replace(/^\uFEFF/, '');
  if (isTooDeep(clean)) throw refused(path, 'JSON', TOO_DEEP);
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
  return parseWith(path, 'TOML', () => parseTomlText(text.replace(/^\uFEFF/, ''), { maxDepth: MAX_DEPTH }));
}

export function parseYaml(path: string, text: string): Table {
  if (text.length > MAX_YAML_CHARACTERS) {
    throw new PlanRefused(
      `${path} is longer than ${MAX_YAML_CHARACTERS / 1024} KiB, which is too long for YAML. Make it shorter and deploy again.`,
    );
  }
  return parseWith(path, 'YAML', () => readYaml(text));
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
    // Its calls of itself were too many.
    if (error instanceof RangeError) throw refused(path, format, TOO_DEEP);
    throw refused(path, format, (error as Error).message.split('\n')[0] ?? '');
  }
}

const TOO_DEEP = `nested more than ${MAX_DEPTH} levels deep`;

/** Of the tokens: what opens and closes an object or a list, and the end. */
const OPENING: readonly SyntaxKind[] = [1, 3];
const CLOSING: readonly SyntaxKind[] = [2, 4];
const END: SyntaxKind = 17;

/** Before it is read: the parser of JSON would fail of it in a way of its own. */
function isTooDeep(json: string): boolean {
  const scanner = createScanner(json, true);
  let depth = 0;
  for (let kind: SyntaxKind; (kind = scanner.scan()) !== END;) {
    if (OPENING.includes(kind) && ++depth > MAX_DEPTH) return true;
    if (CLOSING.includes(kind)) depth--;
  }
  return false;
}

/** Keys that are there twice are found here: the library compares each with all before it. */
function readYaml(text: string): unknown {
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'error', uniqueKeys: false });
  const [error] = document.errors;
  // The library tells of its calls of itself as of any mistake.
  if (error?.message.includes('call stack')) throw new RangeError(TOO_DEEP);
  if (error) throw error;
  visit(document, {
    Collection(_key, node, path) {
      if (path.filter(isCollection).length >= MAX_DEPTH) throw new RangeError(TOO_DEEP);
      if (isMap(node)) requireUniqueKeys(node);
    },
  });
  return document.toJS() as unknown;
}

function requireUniqueKeys({ items }: YAMLMap): void {
  const seen = new Set<unknown>();
  for (const { key } of items) {
    const name = isScalar(key) ? key.value : key;
    if (seen.has(name)) throw new Error('Map keys must be unique');
    seen.add(name);
  }
}

function refused(path: string, format: string, why: string): PlanRefused {
  return new PlanRefused(`${path} is not valid ${format} (${why}). Correct the file and deploy again.`);
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
