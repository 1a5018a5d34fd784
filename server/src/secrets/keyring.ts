/** Where a sealed value stands. A value moved to another row or column does not open there. */
export interface SealedPlace {
  table: string;
  row: string;
  column: string;
}

/** Seals what must not lie in the store in clear. */
export interface Keyring {
  seal(plaintext: string, place: SealedPlace): string;
  /** Throws when the value was sealed elsewhere, was changed, or its key is gone. */
  open(sealed: string, place: SealedPlace): string;
}
