import { Fault } from '../../../lib/fault.ts';
import { HostUnavailable } from '../../../vcs/vcs-host.ts';
import type { LinkedAccess } from './linked-accesses.ts';

export interface Reached<T, A = LinkedAccess> {
  linked: A;
  value: T;
}

/**
 * The first that reaches what is asked for; null when all say that it is not theirs. One that fails keeps none of the
 * others from being asked; when nobody reached it, how it failed is thrown, since it might have. What passes by itself
 * comes before what somebody has to mend: the one that did not answer may be the one that reaches it.
 */
export async function askEach<T, A = LinkedAccess>(
  accesses: readonly A[],
  ask: (linked: A) => Promise<T | null>,
): Promise<Reached<T, A> | null> {
  let failure: HostUnavailable | Fault | null = null;
  for (const linked of accesses) {
    try {
      const value = await ask(linked);
      if (value !== null) return { linked, value };
    } catch (error) {
      if (!isOfHost(error)) throw error;
      if (failure === null || (failure instanceof Fault && error instanceof HostUnavailable)) failure = error;
    }
  }
  if (failure !== null) throw failure;
  return null;
}

/** What a host may well answer, as against a fault of our own. */
export function isOfHost(error: unknown): error is HostUnavailable | Fault {
  return error instanceof HostUnavailable || error instanceof Fault;
}
