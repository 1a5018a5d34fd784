const LONGEST_MS = 100;

/** Between two looks at how far edges are: often at first, since they follow within milliseconds. */
export const FIRST_NAP_MS = 4;
export const nextNapMs = (napMs: number): number => Math.min(napMs * 1.3, LONGEST_MS);
