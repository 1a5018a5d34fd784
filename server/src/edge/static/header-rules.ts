import { PathIndex } from '../../artifacts/path-index.ts';
import { compilePathPattern, segmentsOf } from '../../artifacts/path-pattern.ts';
import { RESERVED_HEADERS } from '../../artifacts/reserved-headers.ts';
import { weightOfHeaders } from '../../artifacts/rule-limits.ts';
import type { HeaderRule } from '../../artifacts/static-manifest.ts';

export type Header = readonly [name: string, value: string];

export interface HeaderRules {
  /** What the site's owner wants at this path. */
  at(path: string): WantedHeaders;
  /** What holding the rules takes, in memory. */
  size: number;
}

export interface WantedHeaders {
  /** A key of the rules that match: with the same key come the same headers. */
  key: string;
  /** The headers, in their order. */
  read(): readonly Header[];
}

const MAX_RULES = 2000;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;
const VALUE = /^[^\p{Cc}]{0,8192}$/u;

/** A block of headers as it counts: joined where a name comes twice. */
interface Block {
  headers: Map<string, Header>;
  cookies: Header[];
}

/**
 * Null when there are none. Of a header named by several rules, the last counts; cookies all do. What an address would
 * meet too much of is left out, as when the file was read.
 */
export function compileHeaderRules(rules: readonly HeaderRule[]): HeaderRules | null {
  const index = new PathIndex<Block>();
  for (const { path, headers } of rules.slice(0, MAX_RULES)) {
    const usable = headers.filter(([name, value]) => isUsable(name, value)).map(asWritten);
    if (usable.length > 0) index.add(compilePathPattern(path), blockOf(usable), weightOfHeaders(usable));
  }
  if (index.size === 1) return null;
  return {
    size: index.size,
    at(path) {
      const met = index.match(segmentsOf(path));
      return { key: met.map(({ order }) => order).join(' '), read: () => collect(met.map(({ rule }) => rule)) };
    },
  };
}

function isUsable(name: string, value: string): boolean {
  return TOKEN.test(name) && !RESERVED_HEADERS.has(name.toLowerCase()) && VALUE.test(value);
}

/** Heads are written byte by byte; other letters travel as UTF-8. */
function asWritten([name, value]: Header): Header {
  return [name, Buffer.from(value.trim(), 'utf8').toString('latin1')];
}

function collect(blocks: readonly Block[]): Header[] {
  const byName = new Map<string, Header>();
  for (const { headers } of blocks) {
    for (const [key, header] of headers) byName.set(key, header);
  }
  return [...byName.values(), ...blocks.flatMap(({ cookies }) => cookies)];
}

/** In one block, a name that comes twice is one list. */
function blockOf(headers: readonly Header[]): Block {
  const joined = new Map<string, Header>();
  for (const [name, value] of headers.filter((header) => !isCookie(header))) {
    const before = joined.get(name.toLowerCase());
    joined.set(name.toLowerCase(), [name, before ? `${before[1]}, ${value}` : value]);
  }
  return { headers: joined, cookies: headers.filter(isCookie) };
}

function isCookie([name]: Header): boolean {
  return name.toLowerCase() === 'set-cookie';
}
