import { ApiError } from '@lilac/sdk';
import { Refused } from './confirm.ts';

/** What the platform says, and what an assistant is told in its place. */
export type OwnWords = readonly (readonly [RegExp, string])[];

/** For `catch`: the platform may name a way out that assistants do not have, or call it otherwise than tools do. */
export function inOwnWords(words: OwnWords): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ApiError) || !words.some(([theirs]) => theirs.test(error.message))) throw error;
    const message = words.reduce((text, [theirs, own]) => text.replace(theirs, own), error.message);
    throw new Refused(`${message} (${error.code})`);
  };
}
