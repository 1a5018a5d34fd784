import type { Store } from '../../server/src/db/pool.ts';
import { newId } from '../../server/src/lib/ids.ts';

/** One that nobody is a member of. */
export async function createOrganisation({ db }: Pick<Store, 'db'>): Promise<string> {
  const id = newId('org');
  await db.insertInto('organisations').values({ id, name: 'Acme', slug: 'acme', plan: 'pro' }).execute();
  return id;
}
