import type { KnownVariant } from './artifact-store.ts';
import type { StaticFile } from './static-manifest.ts';

/**
 * The compressed forms of one blob, as a manifest has them: in one order, so that nothing seems changed that is not.
 */
export function describeVariants(known: readonly KnownVariant[]): StaticFile['variants'] {
  const there = known.flatMap(({ coding, variant }) => (variant ? [[coding, variant] as const] : []));
  return Object.fromEntries(there.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
