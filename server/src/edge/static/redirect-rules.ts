import type { RedirectRule } from '../../artifacts/static-manifest.ts';
import { compilePathPattern, joinSegments, segmentsOf, type Captures, type PathPattern } from './path-pattern.ts';
import type { RequestPath } from './request-path.ts';

/** The first rule that matches, filled in with what the path says. */
export type MatchedRedirect =
  /** Another file of the site answers, with this status. */
  | { status: 200 | 404; isForced: boolean; path: string }
  | { status: 301 | 302 | 303 | 307 | 308; isForced: boolean; location: string };

export type RedirectRules = (path: RequestPath) => MatchedRedirect | null;

const MAX_RULES = 10_000;

interface CompiledRule extends RedirectRule {
  order: number;
  pattern: PathPattern;
}

/** Null when there are none. Rules without a variable part are found at once. */
export function compileRedirects(rules: readonly RedirectRule[]): RedirectRules | null {
  const compiled = rules.slice(0, MAX_RULES).filter(isUsable).map(compileRule);
  if (compiled.length === 0) return null;
  const variable = compiled.filter(({ pattern }) => pattern.literal === null);
  const literal = new Map<string, CompiledRule>();
  for (const rule of compiled.toReversed()) if (rule.pattern.literal !== null) literal.set(rule.pattern.literal, rule);
  return (path) => {
    const segments = segmentsOf(path.path);
    const exact = literal.get(joinSegments(segments));
    for (const rule of variable) {
      if (exact && exact.order < rule.order) break;
      const captures = rule.pattern.match(segments);
      if (captures) return fillIn(rule, captures, path);
    }
    return exact ? fillIn(exact, {}, path) : null;
  };
}

/** Serving another host's pages under this address is not ours to do. */
function isUsable({ to, status }: RedirectRule): boolean {
  return isPath(to) || (/^https?:\/\/[^/]/i.test(to) && status >= 300 && status < 400);
}

function compileRule(rule: RedirectRule, order: number): CompiledRule {
  return { ...rule, order, pattern: compilePathPattern(rule.from) };
}

function fillIn({ status, isForced, to }: CompiledRule, captures: Captures, at: RequestPath): MatchedRedirect {
  if (status === 200 || status === 404) return { status, isForced, path: replaceNames(to, captures, at.path) };
  const filled = safeCharacters(replaceNames(to, captures, at.raw));
  // What a visitor wrote must not turn a path into another host's address: `//evil.example`.
  const address = isPath(to) ? filled.replace(/^\/+/, '/') : filled;
  return { status, isForced, location: to.includes('?') ? address : withQuery(address, at.query) };
}

function replaceNames(to: string, captures: Captures, path: string): string {
  const segments = segmentsOf(path);
  return to.replaceAll(/:([A-Za-z_]\w*)/g, (whole, name: string) => {
    const span = Object.hasOwn(captures, name) ? captures[name] : undefined;
    if (!span) return whole;
    const text = segments.slice(...span).join('/');
    return name === 'splat' && text !== '' && path.endsWith('/') ? `${text}/` : text;
  });
}

function withQuery(address: string, query: string): string {
  const hash = address.indexOf('#');
  return hash < 0 ? address + query : address.slice(0, hash) + query + address.slice(hash);
}

/** Only what may stand in a header and in an address. */
function safeCharacters(address: string): string {
  return address.replaceAll(/[^\x21-\x7e]+|\\/g, (text) => encodeURIComponent(text.toWellFormed()));
}

function isPath(to: string): boolean {
  return to.startsWith('/') && !to.startsWith('//');
}
