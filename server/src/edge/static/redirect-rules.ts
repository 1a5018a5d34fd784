import type { RedirectRule } from '../../artifacts/static-manifest.ts';
import { compilePathPattern, joinSegments, splitPath, type Captures, type PathPattern } from './path-pattern.ts';
import type { RequestPath } from './request-path.ts';

export interface MatchedRedirect {
  status: RedirectRule['status'];
  isForced: boolean;
  /** A path or an absolute address, filled in; the request's query is kept where the rule names none. */
  to: string;
}

export type RedirectRules = (path: RequestPath) => MatchedRedirect | null;

const MAX_RULES = 10_000;

interface CompiledRule extends RedirectRule {
  order: number;
  pattern: PathPattern;
}

/** Null when there are none. The first rule that matches wins; those without a variable part are found at once. */
export function compileRedirects(rules: readonly RedirectRule[]): RedirectRules | null {
  const compiled = rules.slice(0, MAX_RULES).flatMap(compileRule);
  if (compiled.length === 0) return null;
  const variable = compiled.filter(({ pattern }) => pattern.literal === null);
  const literal = new Map<string, CompiledRule>();
  for (const rule of compiled.toReversed()) if (rule.pattern.literal !== null) literal.set(rule.pattern.literal, rule);
  return (path) => {
    const split = splitPath(path);
    const exact = literal.get(joinSegments(split.segments));
    for (const rule of variable) {
      if (exact && exact.order < rule.order) break;
      const captures = rule.pattern.match(split);
      if (captures) return describe(rule, captures, path.query);
    }
    return exact ? describe(exact, {}, path.query) : null;
  };
}

function compileRule(rule: RedirectRule, order: number): CompiledRule[] {
  const pattern = compilePathPattern(rule.from);
  // Serving another host's pages under this address is not ours to do.
  const isKnown = isPath(rule.to) || (isAbsolute(rule.to) && rule.status >= 300 && rule.status < 400);
  return pattern && isKnown ? [{ ...rule, order, pattern }] : [];
}

function describe({ status, isForced, to }: CompiledRule, captures: Captures, query: string): MatchedRedirect {
  const filled = safeCharacters(fillIn(to, captures));
  // What a visitor wrote must not turn a path into another host's address: `//evil.example`.
  const address = isPath(to) ? filled.replace(/^[/\\]+/, '/') : filled;
  return { status, isForced, to: to.includes('?') ? address : withQuery(address, query) };
}

function fillIn(to: string, captures: Captures): string {
  return to.replaceAll(/:([a-zA-Z_]\w*)/g, (whole, name: string) =>
    Object.hasOwn(captures, name) ? captures[name]! : whole,
  );
}

function withQuery(address: string, query: string): string {
  const hash = address.indexOf('#');
  return hash < 0 ? address + query : address.slice(0, hash) + query + address.slice(hash);
}

/** Only what may stand in a header and in an address. */
function safeCharacters(address: string): string {
  return address.replaceAll(/[^\x21-\x7e]+|\\/g, (text) => (text === '\\' ? '%5C' : encodeURIComponent(text.toWellFormed())));
}

function isPath(to: string): boolean {
  return to.startsWith('/') && !to.startsWith('//');
}

function isAbsolute(to: string): boolean {
  return /^https?:\/\/[^/]/i.test(to);
}
