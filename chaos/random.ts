/** Numbers that look like chance, and are the same for the same seed. */
export interface Random {
  /** From 0 up to, and not including, the given number; whole. */
  below(count: number): number;
  pick<T>(items: readonly T[]): T;
  shuffle<T>(items: readonly T[]): T[];
}

const WORD = 2 ** 32;

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  /** Mulberry32: small, and good enough for choosing. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / WORD;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    below,
    pick: (items) => items[below(items.length)]!,
    shuffle(items) {
      const rest = [...items];
      return items.map(() => rest.splice(below(rest.length), 1)[0]!);
    },
  };
}
