import { joinSegments, type PathPattern } from './path-pattern.ts';

/** Of a path with a variable part. */
export const MAX_SEGMENTS = 32;
/**
 * How much one address may meet of paths with a variable part, and of its own path in full as much again: each rule by
 * its weight, and one for each place at which rules part. Every request pays for it, whatever its address is, so it is
 * counted when a rule is taken.
 */
export const MAX_MET = 256;

/** Of all paths with a variable part together: whoever loads a site makes a branch for each that begins otherwise. */
export const MAX_BRANCHES = 10_000;

/** Why a rule is not taken. */
export type Refusal = 'segments' | 'crowd' | 'size';

export interface Met<Rule> {
  rule: Rule;
  order: number;
}

/** Patterns that begin alike, up to here. */
interface Branch<Rule> {
  literals: Map<string, Branch<Rule>> | null;
  any: Branch<Rule> | null;
  /** The paths of these end here. */
  ends: Met<Rule>[];
  /** These take whatever follows. */
  rests: Met<Rule>[];
  /** Of those two. */
  weight: number;
  /** What one address meets at the most, from here on, and the most behind one of the literals. */
  most: number;
  mostLiteral: number;
}

/**
 * Rules by their paths. An address is compared with what lies on its own way only, and `add` takes no more than
 * `MAX_MET` for any one address: a request costs little, whoever wrote the rules and whatever the path is.
 */
export class PathIndex<Rule> {
  readonly #root: Branch<Rule> = createBranch();
  /** Paths that are written in full. */
  readonly #whole = new Map<string, { met: Met<Rule>[]; weight: number }>();
  #taken = 0;
  #branches = 1;

  /** In the order of the file. Null: it was taken. */
  add(pattern: PathPattern, rule: Rule, weight = 1): Refusal | null {
    return pattern.literal === null
      ? this.#addVariable(pattern, rule, weight)
      : this.#addWhole(pattern.literal, rule, weight);
  }

  /** The same where only the first of several with the same path in full ever counts. */
  addFirst(pattern: PathPattern, rule: Rule): Refusal | null {
    const { literal } = pattern;
    return literal !== null && this.#whole.has(literal) ? null : this.add(pattern, rule);
  }

  /** All that an address meets, in the order of the file. */
  match(segments: readonly string[]): readonly Met<Rule>[] {
    const met: Met<Rule>[] = [];
    meet(this.#root, segments, met);
    const whole = this.#whole.get(joinSegments(segments))?.met;
    if (whole) met.push(...whole);
    return met.length > 1 ? met.toSorted((a, b) => a.order - b.order) : met;
  }

  /** What it takes to hold it: rules, and the places at which they part. */
  get size(): number {
    return this.#taken + this.#branches;
  }

  #addWhole(path: string, rule: Rule, weight: number): Refusal | null {
    const held = this.#whole.get(path) ?? { met: [], weight: 0 };
    if (held.weight + weight > MAX_MET) return 'crowd';
    held.met.push({ rule, order: this.#taken++ });
    held.weight += weight;
    this.#whole.set(path, held);
    return null;
  }

  #addVariable(pattern: PathPattern, rule: Rule, weight: number): Refusal | null {
    if (pattern.parts.length + Number(pattern.isOpen) > MAX_SEGMENTS) return 'segments';
    if (this.#branches + this.#newBranches(pattern) > MAX_BRANCHES) return 'size';
    if (mostWith(this.#root, pattern, weight) > MAX_MET) return 'crowd';
    const way = [this.#root];
    for (const part of pattern.parts) way.push(this.#step(way.at(-1)!, part));
    const last = way.at(-1)!;
    (pattern.isOpen ? last.rests : last.ends).push({ rule, order: this.#taken++ });
    last.weight += weight;
    recount(way, pattern);
    return null;
  }

  #newBranches({ parts }: PathPattern): number {
    let branch: Branch<Rule> | undefined = this.#root;
    let known = 0;
    for (const part of parts) {
      branch = next(branch, part);
      if (!branch) break;
      known++;
    }
    return parts.length - known;
  }

  #step(from: Branch<Rule>, part: string | null): Branch<Rule> {
    const known = next(from, part);
    if (known) return known;
    const made = createBranch<Rule>();
    this.#branches++;
    if (part === null) from.any = made;
    else (from.literals ??= new Map<string, Branch<Rule>>()).set(part, made);
    return made;
  }
}

function createBranch<Rule>(): Branch<Rule> {
  return { literals: null, any: null, ends: [], rests: [], weight: 0, most: 1, mostLiteral: 0 };
}

function next<Rule>(from: Branch<Rule>, part: string | null): Branch<Rule> | undefined {
  return (part === null ? from.any : from.literals?.get(part)) ?? undefined;
}

/** At each branch an address goes on in two ways at the most: where its segment is written, and where any is taken. */
function meet<Rule>(branch: Branch<Rule>, segments: readonly string[], met: Met<Rule>[], at = 0): void {
  met.push(...branch.rests);
  if (at === segments.length) {
    met.push(...branch.ends);
    return;
  }
  const literal = branch.literals?.get(segments[at]!);
  if (literal) meet(literal, segments, met, at + 1);
  if (branch.any) meet(branch.any, segments, met, at + 1);
}

/** What `most` would be with one more rule; nothing is changed. */
function mostWith<Rule>(branch: Branch<Rule> | undefined, pattern: PathPattern, weight: number, at = 0): number {
  const { weight: own, any, mostLiteral } = branch ?? createBranch<Rule>();
  if (at === pattern.parts.length) return 1 + own + weight + (any?.most ?? 0) + mostLiteral;
  const part = pattern.parts[at]!;
  const below = mostWith(branch && next(branch, part), pattern, weight, at + 1);
  return part === null ? 1 + own + below + mostLiteral : 1 + own + (any?.most ?? 0) + Math.max(mostLiteral, below);
}

function recount<Rule>(way: readonly Branch<Rule>[], { parts }: PathPattern): void {
  for (let at = way.length - 1; at >= 0; at--) {
    const branch = way[at]!;
    branch.most = 1 + branch.weight + (branch.any?.most ?? 0) + branch.mostLiteral;
    const above = way[at - 1];
    if (above && parts[at - 1] !== null) above.mostLiteral = Math.max(above.mostLiteral, branch.most);
  }
}
