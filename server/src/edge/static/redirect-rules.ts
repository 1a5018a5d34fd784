import type { RedirectRule } from '../../artifacts/static-manifest.ts';
import { compilePathPattern, joinSegments, segmentsOf, type Captures, type PathPattern } from './path-pattern.ts';
import { isSameAddress, pathBehind } from './redirect-circles.ts';
import type { RequestPath } from './request-path.ts';

/** The first rule that matches and leads elsewhere, filled in with what the path says. */
export type MatchedRedirect =
  /** Another file of the site answers, with this status. */
  | { status: 200 | 404; isForced: boolean; path: string }
  | { status: 301 | 302 | 303 | 307 | 308; isForced: boolean; location: string };

export type RedirectRules = (path: RequestPath) => MatchedRedirect | null;

const MAX_RULES = 10_000;
/** Of what a rule leads to: a target may name the same part of the path many times. */
const MAX_FILLED_LENGTH = 16_384;

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
    let exact = literal.get(joinSegments(segments));
    for (const rule of variable) {
      if (exact && exact.order < rule.order) {
        const found = apply(exact, segments, path);
        if (found) return found;
        exact = undefined;
      }
      const found = apply(rule, segments, path);
      if (found) return found;
    }
    return exact ? apply(exact, segments, path) : null;
  };
}

/** Null when it does not match, or leads from its own target to itself: `/* /closed 302`, at `/closed`. */
function apply(rule: CompiledRule, segments: readonly string[], at: RequestPath): MatchedRedirect | null {
  const captures = rule.pattern.match(segments);
  const matched = captures && fillIn(rule, captures, at);
  if (!matched || !('location' in matched)) return matched;
  const next = pathBehind(matched.location);
  return next && isSameAddress(next, at) ? null : matched;
}

/** Serving another host's pages under this address is not ours to do. */
function isUsable({ to, status }: RedirectRule): boolean {
  return isPath(to) || (/^https?:\/\/[^/]/i.test(to) && status >= 300 && status < 400);
}

function compileRule(rule: RedirectRule, order: number): CompiledRule {
  return { ...rule, order, pattern: compilePathPattern(rule.from) };
}

/** Null when that becomes too long. */
function fillIn({ status, isForced, to }: CompiledRule, captures: Captures, at: RequestPath): MatchedRedirect | null {
  const isHere = status === 200 || status === 404;
  const replaced = replaceNames(to, captures, isHere ? at.path : at.raw);
  if (replaced === null) return null;
  if (isHere) return { status, isForced, path: replaced };
  const filled = safeCharacters(replaced);
  // What a visitor wrote must not turn a path into another host's address: `//evil.example`.
  const address = isPath(to) ? filled.replace(/^\/+/, '/') : filled;
  return { status, isForced, location: to.includes('?') ? address : withQuery(address, at.query) };
}

function replaceNames(to: string, captures: Captures, path: string): string | null {
  const segments = segmentsOf(path);
  let room = MAX_FILLED_LENGTH - to.length;
  const replaced = to.replaceAll(/:([A-Za-z_]\w*)/g, (whole, name: string) => {
    const span = Object.hasOwn(captures, name) ? captures[name] : undefined;
    if (!span) return whole;
    const text = room < 0 ? '' : segments.slice(...span).join('/');
    room -= text.length;
    return name === 'splat' && text !== '' && path.endsWith('/') ? `${text}/` : text;
  });
  return room < 0 ? null : replaced;
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
