import type { Part } from './outages.ts';

/** What a release answers visitors with: whose it is, and which. */
export const wordsOf = (part: Part, number: number): string => `${part} release ${number}`;

/** Whether this is what some release of the part would answer. */
export const isOfPart = (part: Part, words: string): boolean => new RegExp(`^${part} release \\d+$`).test(words);
