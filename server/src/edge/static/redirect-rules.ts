import { PathIndex, type Met } from '../../artifacts/path-index.ts';
import { compilePathPattern, segmentsOf } from '../../artifacts/path-pattern.ts';
import type { RedirectRule } from '../../artifacts/static-manifest.ts';
import type { Effort } from './effort.ts';
import { nameOf, pathBehind } from './redirect-circles.ts';
import { fillTarget, readTarget, type RedirectTarget } from './redirect-target.ts';
import type { RequestPath } from './request-path.ts';

/** The first rule that matches and leads elsewhere, filled in with what the path says. */
export type MatchedRedirect =
  /** Another file of the site answers, with this status. */
  | { status: 200 | 404; isForced: boolean; path: string }
  /** `behind` is the path of this site that the location means; null when it means none. */
  | { status: 301 | 302 | 303 | 307 | 308; isForced: boolean; location: string; behind: RequestPath | null };

export interface RedirectRules {
  at(path: RequestPath, effort: Effort): MatchedRedirect | null;
  /** What holding the rules takes, in memory. */
  size: number;
}

const MAX_RULES = 10_000;
/** What it takes to fill in a target, besides its characters, and to read one character of what becomes of it. */
const FILLING = 2048;
const READING = 4;

interface CompiledRule {
  status: RedirectRule['status'];
  isForced: boolean;
  target: RedirectTarget;
  /** Where the rule leads, if its target is always the same. */
  fixed: Led | null;
}

interface Led {
  address: string;
  behind: RequestPath | null;
  /** The name of the path behind. */
  name: string | null;
}

/** Null without rules. Rules of which an address would meet too many are left out, as when the file was read. */
export function compileRedirects(rules: readonly RedirectRule[]): RedirectRules | null {
  const index = new PathIndex<CompiledRule>();
  for (const rule of rules.slice(0, MAX_RULES)) addRule(index, rule);
  if (index.size === 1) return null;
  return { at: (path, effort) => firstOf(index.match(segmentsOf(path.path)), path, effort), size: index.size };
}

function addRule(index: PathIndex<CompiledRule>, rule: RedirectRule): void {
  const pattern = compilePathPattern(rule.from);
  const target = readTarget(rule, pattern.names);
  if (!target) return;
  const { status, isForced, to } = rule;
  const fixed = target.isFixed && !isHere(status) ? leadTo(target, to) : null;
  index.addFirst(pattern, { status, isForced, target, fixed });
}

function firstOf(met: readonly Met<CompiledRule>[], at: RequestPath, effort: Effort): MatchedRedirect | null {
  if (met.length === 0) return null;
  const name = nameOf(at);
  for (const { rule } of met) {
    const found = apply(rule, { at, name }, effort);
    if (found) return found;
    if (effort.isSpent) return null;
  }
  return null;
}

/** Null when it becomes too long, or leads from its own target to itself: `/* /closed 302`, at `/closed`. */
function apply(
  { status, isForced, target, fixed }: CompiledRule,
  { at, name }: { at: RequestPath; name: string },
  effort: Effort,
): MatchedRedirect | null {
  if (!target.isFixed && !effort.spend(FILLING + target.length + at.raw.length)) return null;
  if (isHere(status)) {
    const path = fillTarget(target, at.path);
    return path === null ? null : { status, isForced, path };
  }
  const led = fixed ?? leadOn(target, at, effort);
  if (!led || led.name === name) return null;
  const location = target.hasQuery ? led.address : withQuery(led.address, at.query);
  return { status, isForced, location, behind: led.behind };
}

function isHere(status: RedirectRule['status']): status is 200 | 404 {
  return status === 200 || status === 404;
}

function leadOn(target: RedirectTarget, at: RequestPath, effort: Effort): Led | null {
  const filled = fillTarget(target, at.raw);
  return filled === null || !effort.spend(READING * filled.length) ? null : leadTo(target, filled);
}

function leadTo(target: RedirectTarget, filled: string): Led {
  const address = addressOf(target, filled);
  const behind = pathBehind(address);
  return { address, behind, name: behind && nameOf(behind) };
}

/** What a visitor wrote must not turn a path into another host's address: `//evil.example`. */
function addressOf({ isPath }: RedirectTarget, filled: string): string {
  const address = safeCharacters(filled);
  return isPath ? address.replace(/^\/+/, '/') : address;
}

function withQuery(address: string, query: string): string {
  const hash = address.indexOf('#');
  return hash < 0 ? address + query : address.slice(0, hash) + query + address.slice(hash);
}

/** Only what may stand in a header and in an address. */
function safeCharacters(address: string): string {
  const plain = address.replaceAll('\\', '%5C');
  return plain.replaceAll(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text.toWellFormed()));
}
