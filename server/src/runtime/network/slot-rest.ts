import type { Clock } from '../../lib/clock.ts';

export interface SlotRestLimits {
  /** How many networks of places that were given back are kept to be used again. */
  restingCount: number;
  /** For so long an address is given to nobody else, lest a late request reach the wrong application. */
  restMs: number;
}

/** Places that were given back. Their numbers rest until their time is over, with their networks or without. */
export interface SlotRest {
  add(slot: number, terms: { since: number; isBare: boolean }): void;
  /** One that has its network, and has rested long enough. */
  takeRested(): number | undefined;
  /** One whose network is to be removed, since too many are kept; its number goes on resting. */
  strip(): number | undefined;
  /** Numbers without a network that have rested long enough. */
  takeOver(): number[];
  /** Networks that are not whole any more are none. */
  keepWhole(isWhole: (slot: number) => boolean): void;
  slots(): number[];
}

export function createSlotRest({ clock, restMs, restingCount }: SlotRestLimits & { clock: Clock }): SlotRest {
  /** In the order in which their time is over. */
  let resting: { slot: number; since: number; isBare: boolean }[] = [];
  const isOver = ({ since }: { since: number }) => since <= clock.now().getTime() - restMs;
  const without = (slots: readonly number[]) => (resting = resting.filter(({ slot }) => !slots.includes(slot)));
  return {
    add(slot, terms) {
      resting = [...without([slot]), { slot, ...terms }].toSorted((a, b) => a.since - b.since);
    },
    takeRested() {
      const oldest = resting.find(({ isBare }) => !isBare);
      if (!oldest || !isOver(oldest)) return undefined;
      without([oldest.slot]);
      return oldest.slot;
    },
    strip() {
      const kept = resting.filter(({ isBare }) => !isBare);
      const [oldest] = kept;
      if (!oldest || kept.length <= restingCount) return undefined;
      // From now on nobody takes it.
      oldest.isBare = true;
      return oldest.slot;
    },
    takeOver() {
      const over = resting.filter((entry) => entry.isBare && isOver(entry)).map(({ slot }) => slot);
      without(over);
      return over;
    },
    keepWhole(isWhole) {
      for (const entry of resting) entry.isBare ||= !isWhole(entry.slot);
    },
    slots: () => resting.map(({ slot }) => slot),
  };
}
