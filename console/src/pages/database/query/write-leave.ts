import { ApiError } from '@lilac/contract/client';

/** Leave to change data is given to one statement: what may come after that must ask for it anew. */

/** After a run with it: only a statement that was refused, and so changed nothing, may be mended and tried again. */
export function isLeaveKeptAfterRun(failure: unknown): boolean {
  return failure instanceof ApiError && failure.status < 500;
}

/** While it is written: a statement is another one where less than half of what stood there is left at its ends. */
export function isLeaveKeptAfterEdit(before: string, after: string): boolean {
  const [was, is] = [before.trim(), after.trim()];
  const start = countAlike(was, is);
  const end = countAlike(reversed(was.slice(start)), reversed(is.slice(start)));
  return start + end >= was.length / 2;
}

/** How many letters two texts begin with that are the same. */
function countAlike(one: string, other: string): number {
  let count = 0;
  while (count < one.length && one[count] === other[count]) count++;
  return count;
}

/** To be compared only: what is made of two halves comes apart. */
const reversed = (text: string): string => text.split('').toReversed().join('');
