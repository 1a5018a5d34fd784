import { assertNetwork } from './database.ts';

/** Each once, in the order given. */
export function readNetworks(given: readonly string[]): string[] {
  return [...new Set(given.map(assertNetwork))];
}
