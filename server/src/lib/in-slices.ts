import { createBreather } from './breather.ts';

/** Work that pauses wherever it may be interrupted: now and then the others of this process have their turn. */
export async function inSlices<Result>(work: Generator<void, Result>): Promise<Result> {
  const breathe = createBreather();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await breathe();
  }
}

/** The same without a pause. */
export function atOnce<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
