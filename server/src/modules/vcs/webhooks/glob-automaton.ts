/** What a pattern is made of. A number is one letter by its code; a set says it of each. */
export type Part =
  | { kind: 'one'; takes: Letters }
  | { kind: 'run'; takes: Letters }
  | { kind: 'all'; parts: readonly Part[] }
  | { kind: 'either'; parts: readonly Part[] }
  | { kind: 'repeated'; part: Part };

export type Letters = number | ((code: number) => boolean);

/** How many steps several names and patterns may take together. */
export class Steps {
  taken = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get isSpent(): boolean {
    return this.taken > this.#most;
  }
}

/** At such a place nothing is taken: it goes on by itself. */
const ITSELF = -1;
/** From here down, a place takes what one of the sets has. */
const SETS = -2;

/**
 * Goes through a name once and keeps all the places of the pattern at which it may be, so that nothing is tried again:
 * a name takes no more steps than its letters times the places there are, whatever the pattern is.
 */
export class GlobAutomaton {
  /** What each place takes: a letter by its code, a set, or nothing. */
  readonly #takes: number[] = [];
  readonly #sets: Exclude<Letters, number>[] = [];
  readonly #next: number[][] = [];
  readonly #end: number;
  readonly #start: number;

  constructor(whole: Part) {
    this.#end = this.#place(ITSELF, []);
    this.#start = this.#before(whole, this.#end);
  }

  /** How many places there are. */
  get size(): number {
    return this.#next.length;
  }

  /** No, as well, when there are not steps enough to say. */
  matches(name: string, steps: Steps): boolean {
    const walk = new Walk({ next: this.#next, takes: this.#takes, steps });
    let here = walk.from([this.#start]);
    for (let at = 0; at < name.length; at++) {
      if (here.length === 0 || steps.isSpent) return false;
      const code = name.charCodeAt(at);
      const isIn = this.#sets.map((has) => has(code));
      steps.taken += isIn.length;
      const taken: number[] = [];
      for (const place of here) {
        const takes = this.#takes[place]!;
        if (takes === code || (takes <= SETS && isIn[SETS - takes])) taken.push(this.#next[place]![0]!);
      }
      here = walk.from(taken);
    }
    return walk.isAt(this.#end);
  }

  /** The place from which the part leads to what comes after it. */
  #before(part: Part, after: number): number {
    if (part.kind === 'one') return this.#taking(part.takes, after);
    if (part.kind === 'all') return part.parts.reduceRight((next, each) => this.#before(each, next), after);
    if (part.kind === 'either')
      return this.#place(
        ITSELF,
        part.parts.map((each) => this.#before(each, after)),
      );
    const again = this.#place(ITSELF, [after]);
    const first = part.kind === 'run' ? this.#taking(part.takes, again) : this.#before(part.part, again);
    this.#next[again]!.push(first);
    return part.kind === 'run' ? again : first;
  }

  #taking(letters: Letters, after: number): number {
    return this.#place(typeof letters === 'number' ? letters : this.#setOf(letters), [after]);
  }

  #place(takes: number, next: number[]): number {
    this.#takes.push(takes);
    return this.#next.push(next) - 1;
  }

  #setOf(has: Exclude<Letters, number>): number {
    const known = this.#sets.indexOf(has);
    return SETS - (known < 0 ? this.#sets.push(has) - 1 : known);
  }
}

interface Places {
  next: readonly (readonly number[])[];
  takes: readonly number[];
  steps: Steps;
}

/** One name's way through an automaton. */
class Walk {
  readonly #places: Places;
  /** The turn at which each place was last reached. */
  readonly #seen: Int32Array;
  #turn = 0;

  constructor(places: Places) {
    this.#places = places;
    this.#seen = new Int32Array(places.next.length);
  }

  /** Those places, and wherever they go on to by themselves: of these, what takes a letter. */
  from(places: readonly number[]): number[] {
    const { next, takes, steps } = this.#places;
    const seen = this.#seen;
    const turn = ++this.#turn;
    const open = [...places];
    const reached: number[] = [];
    let taken = 0;
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      taken++;
      if (seen[place] === turn) continue;
      seen[place] = turn;
      if (takes[place] === ITSELF) for (const onward of next[place]!) open.push(onward);
      else reached.push(place);
    }
    steps.taken += taken;
    return reached;
  }

  isAt(place: number): boolean {
    return this.#seen[place] === this.#turn;
  }
}
