import type { Problem } from './invariants/problem.ts';
import { isFault, type Step } from './plan.ts';

type Kind = Step['name'];

const NAME = 'what was planned happened';

/** Of faults and of changes each so many at least: where hardly anything comes through, nothing is shown. */
const LEAST_SHARE = 0.25;

/**
 * How often each kind of step was planned, and how often it came to something: a fault struck, a change was
 * acknowledged.
 */
export class Happenings {
  readonly #planned: ReadonlyMap<Kind, number>;
  readonly #happened = new Map<Kind, number>();

  constructor(steps: readonly Pick<Step, 'name'>[]) {
    this.#planned = countBy(steps.map(({ name }) => name));
  }

  note(name: Kind): void {
    this.#happened.set(name, this.countOf(name) + 1);
  }

  countOf(name: Kind): number {
    return this.#happened.get(name) ?? 0;
  }

  /** Was planned, and never came to anything. */
  missing(): Kind[] {
    return [...this.#planned.keys()].filter((name) => this.countOf(name) === 0);
  }

  /** A run in which something never happened shows nothing about it. */
  problems(): Problem[] {
    return [
      ...this.missing().map((name) => ({
        invariant: NAME,
        about: name,
        what: `planned ${this.#planned.get(name)} times, and it never ${isFault(name) ? 'struck' : 'was acknowledged'}`,
      })),
      ...[this.#tooFew('faults', isFault), this.#tooFew('changes', (name) => !isFault(name))].flat(),
    ];
  }

  /** A line for the faults and one for what people did. */
  describe(): string[] {
    const list = (kinds: Kind[]) => kinds.map((name) => `${name} ${this.countOf(name)} (${this.#planned.get(name)})`);
    const names = [...this.#planned.keys()].sort();
    return [
      `Faults that struck (and how many were planned): ${list(names.filter(isFault)).join(', ') || 'none'}`,
      `Changes acknowledged (and how many were planned): ${list(names.filter((name) => !isFault(name))).join(', ') || 'none'}`,
    ];
  }

  #tooFew(what: string, isOne: (name: Kind) => boolean): Problem[] {
    const kinds = [...this.#planned.keys()].filter(isOne);
    const planned = kinds.reduce((sum, name) => sum + this.#planned.get(name)!, 0);
    const happened = kinds.reduce((sum, name) => sum + this.countOf(name), 0);
    if (happened >= planned * LEAST_SHARE) return [];
    return [{ invariant: NAME, about: what, what: `${happened} of ${planned} came to anything` }];
  }
}

function countBy(names: readonly Kind[]): Map<Kind, number> {
  const counts = new Map<Kind, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
