import { PathIndex } from './path-index.ts';
import { compilePathPattern } from './path-pattern.ts';
import {
  decodePath,
  hasControls,
  placeholdersOf,
  readPattern,
  ruleLines,
  UnusableLine,
  type ParsedRules,
} from './rule-lines.ts';
import { assertTaken, isPastReading, MAX_TARGET_LENGTH } from './rule-limits.ts';
import type { RedirectRule } from './static-manifest.ts';

const MAX_RULES = 2000;
const STATUSES = [200, 301, 302, 303, 307, 308, 404] as const satisfies readonly RedirectRule['status'][];

/**
 * Reads a `_redirects` file: `from to [status][!]`, one rule a line, `#` begins a comment. Without a
 * status it is 301.
 */
export function parseRedirects(text: string): ParsedRules<RedirectRule> {
  const parsed: ParsedRules<RedirectRule> = { rules: [], problems: [] };
  const index = new PathIndex<null>();
  for (const { number, text: line } of ruleLines(text)) {
    if (isPastReading(parsed.problems, number)) break;
    try {
      if (parsed.rules.length >= MAX_RULES) throw new UnusableLine(`only the first ${MAX_RULES} rules are used.`);
      const rule = readRule(line);
      assertTaken(index.addFirst(compilePathPattern(rule.from), null));
      parsed.rules.push(rule);
    } catch (error) {
      if (!(error instanceof UnusableLine)) throw error;
      parsed.problems.push({ line: number, reason: error.message });
    }
  }
  return parsed;
}

function readRule(line: string): RedirectRule {
  const words = withoutComment(line.split(/\s+/));
  const [first, to, ...rest] = words;
  if (first === undefined || to === undefined) {
    throw new UnusableLine('it names no target. Write: from to [status].');
  }
  if (to.length > MAX_TARGET_LENGTH) {
    throw new UnusableLine(`the target is longer than ${MAX_TARGET_LENGTH} characters, and would never be followed.`);
  }
  if (/^[\w-]+=/.test(to)) throw new UnusableLine(`conditions on the query ("${to}") are not supported.`);
  const condition = rest.find((word) => /^[\w-]+=/.test(word));
  if (condition) throw new UnusableLine(`conditions ("${condition}") are not supported.`);
  if (rest.length > 1) throw new UnusableLine(`"${rest[1]}" does not belong there. Write: from to [status].`);
  const { status, isForced } = readStatus(rest[0]);
  const from = readPattern(first);
  const rule = { from, to: readTarget(to, { status, from }), status, isForced };
  if (status >= 300 && status < 400 && leadsBack(rule)) throw new UnusableLine('it leads back to itself.');
  return rule;
}

/**
 * A pattern takes its path with and without a slash at the end, and with any query. Forced, it also takes what
 * it has led to, wherever that lies below it: `/a/* /a/b/:splat 301!` would lead to `/a/b/b/b…`.
 */
function leadsBack({ from, to, isForced }: RedirectRule): boolean {
  if (!to.startsWith('/')) return false;
  const target = to.split(/[?#]/, 1)[0]!;
  if (withoutSlash(target) === withoutSlash(encode(from.replace(/\*$/, ':splat')))) return true;
  const isBelow = from.endsWith('*') && target.startsWith(encode(from.slice(0, -1)));
  return isForced && isBelow && target.includes('/:splat');
}

/** One by one: an expression would try anew at each of a thousand slashes. */
function withoutSlash(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

function withoutComment(words: string[]): string[] {
  const at = words.findIndex((word) => word.startsWith('#'));
  return at < 0 ? words : words.slice(0, at);
}

function readStatus(word: string | undefined): Pick<RedirectRule, 'status' | 'isForced'> {
  if (word === undefined) return { status: 301, isForced: false };
  const status = STATUSES.find((known) => word === String(known) || word === `${known}!`);
  if (status === undefined) {
    throw new UnusableLine(`"${word}" is not a status it can have (${STATUSES.join(', ')}, each also with "!").`);
  }
  return { status, isForced: word.endsWith('!') };
}

function readTarget(to: string, { status, from }: Pick<RedirectRule, 'status' | 'from'>): string {
  assertPlaceholders(to, from);
  const isHere = status === 200 || status === 404;
  if (to.startsWith('/') && !to.startsWith('//')) return isHere ? decodePath(to.split(/[?#]/, 1)[0]!) : encode(to);
  const url = URL.parse(to);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new UnusableLine(`the target "${to}" is neither a path that begins with "/" nor an address with https://.`);
  }
  if (isHere) throw new UnusableLine(`with ${status} the target must be a path of this site.`);
  return encode(to);
}

/** Only `:name` at the beginning of a segment is surely meant as one; a colon elsewhere may be just that. */
function assertPlaceholders(to: string, from: string): void {
  const known = new Set([...placeholdersOf(from), ...(from.endsWith('*') ? ['splat'] : [])]);
  const named = [...to.matchAll(/[/=]:([A-Za-z_]\w*)/g)].map((match) => match[1]!);
  const unknown = named.find((name) => !known.has(name));
  if (unknown !== undefined) throw new UnusableLine(`the target names ":${unknown}", which the path does not have.`);
}

/** As a header can carry it; what is encoded already stays so. */
function encode(to: string): string {
  if (hasControls(to) || !to.isWellFormed()) throw new UnusableLine(`"${to}" is not a valid target.`);
  return encodeURI(to).replaceAll(/%25(?=[0-9a-f]{2})/gi, '%');
}
