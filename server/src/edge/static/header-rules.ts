import { RESERVED_HEADERS } from '../../artifacts/reserved-headers.ts';
import type { HeaderRule } from '../../artifacts/static-manifest.ts';
import { compilePathPattern, segmentsOf, type PathPattern } from './path-pattern.ts';

export type Header = readonly [name: string, value: string];

/** The headers that the site's owner wants at this path, in their order. */
export type HeaderRules = (path: string) => readonly Header[];

const MAX_RULES = 2000;
const NONE: readonly Header[] = [];
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;
const VALUE = /^[^\p{Cc}]{0,8192}$/u;

/** Null when there are none. Of a header named by several rules, the last counts; cookies all do. */
export function compileHeaderRules(rules: readonly HeaderRule[]): HeaderRules | null {
  const compiled = rules.slice(0, MAX_RULES).flatMap(compileRule);
  if (compiled.length === 0) return null;
  return (path) => {
    const segments = segmentsOf(path);
    const matching = compiled.filter(({ pattern }) => pattern.match(segments) !== null);
    return matching.length === 0 ? NONE : collect(matching.map(({ headers }) => headers));
  };
}

function compileRule({ path, headers }: HeaderRule): { pattern: PathPattern; headers: Header[] }[] {
  const pattern = compilePathPattern(path);
  const usable = headers.filter(([name, value]) => isUsable(name, value)).map(asWritten);
  return usable.length > 0 ? [{ pattern, headers: usable }] : [];
}

function isUsable(name: string, value: string): boolean {
  return TOKEN.test(name) && !RESERVED_HEADERS.has(name.toLowerCase()) && VALUE.test(value);
}

/** Heads are written byte by byte; other letters travel as UTF-8. */
function asWritten([name, value]: Header): Header {
  return [name, Buffer.from(value.trim(), 'utf8').toString('latin1')];
}

function collect(blocks: readonly (readonly Header[])[]): Header[] {
  const byName = new Map<string, Header>();
  const cookies: Header[] = [];
  for (const block of blocks) {
    for (const [key, header] of joinRepeated(block)) byName.set(key, header);
    cookies.push(...block.filter(isCookie));
  }
  return [...byName.values(), ...cookies];
}

/** In one block, a name that comes twice is one list. */
function joinRepeated(block: readonly Header[]): Map<string, Header> {
  const joined = new Map<string, Header>();
  for (const [name, value] of block.filter((header) => !isCookie(header))) {
    const before = joined.get(name.toLowerCase());
    joined.set(name.toLowerCase(), [name, before ? `${before[1]}, ${value}` : value]);
  }
  return joined;
}

function isCookie([name]: Header): boolean {
  return name.toLowerCase() === 'set-cookie';
}
