import type { SealedColumn } from './sealed-columns.ts';

/** Where a sealed value stands. A value moved to another row or column does not open there. */
export type SealedPlace = PlaceIn<SealedColumn>;

type PlaceIn<C> = C extends SealedColumn ? { table: C['table']; column: C['column']; row: string } : never;

/** Seals what must not lie in the store in clear. */
export interface Keyring {
  seal(plaintext: string, place: SealedPlace): string;
  /** Throws when the value was sealed elsewhere, was changed, or its key is gone. */
  open(sealed: string, place: SealedPlace): string;
}
