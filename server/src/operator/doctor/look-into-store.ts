import type { Db } from '../../db/pool.ts';
import { peekStore, type Peek } from '../peek-store.ts';
import { ok, type CheckedHost, type Finding } from './check.ts';

/**
 * Looks at rows, where there is a store to be asked; what is wrong with the store itself is said by who looks at it.
 */
export async function lookIntoStore(
  { config }: Pick<CheckedHost, 'config'>,
  look: (db: Db) => Promise<Finding>,
): Promise<Finding> {
  const peek = await peekStore(config, look);
  return 'seen' in peek ? peek.seen : ok(whyNot[peek.unseen]);
}

const whyNot: Record<Extract<Peek<never>, { unseen: unknown }>['unseen'], string> = {
  'not running': 'not looked at, as the store does not run',
  'other tables': 'not looked at, see Tables',
  'no answer': 'not looked at, see PostgreSQL',
};
