import type { DatabaseStep } from '@lilac/contract/states';
import type { Db } from '../../db/pool.ts';
import type { DatabaseRow } from '../../db/schema.ts';
import { advance } from './database-store.ts';

/** The database is being deleted, or somebody has given the work up: nothing more is to be done to it. */
class NoLongerWanted extends Error {}

export type TellStep = (step: DatabaseStep, percent: number) => Promise<void>;

/** Tells each step as it begins, as long as the database is in the state that the work is about. */
export function stepTeller(db: Db, { id, status }: Pick<DatabaseRow, 'id' | 'status'>, signal: AbortSignal): TellStep {
  return async (step, percent) => {
    signal.throwIfAborted();
    if (!(await advance(db, id, status, { step, percent }))) throw new NoLongerWanted();
  };
}

/** Ends quietly when nobody wants it any more. */
export async function whileWanted(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof NoLongerWanted)) throw error;
  }
}
