import type { Tx } from '../../../db/pool.ts';
import { conflict } from '../../../lib/fault.ts';
import { linksOf } from './link-store.ts';

/** A person's own value under the name of a link would be overwritten, and nobody would know by what. */
export async function assertNotLinked(tx: Tx, environmentId: string, names: readonly string[]): Promise<void> {
  const links = await linksOf(tx, environmentId);
  const taken = names.find((name) => Object.hasOwn(links, name));
  if (taken === undefined) return;
  throw conflict(
    `environmentVars.${taken} holds the address of a database that this environment is connected to. ` +
      'Disconnect the database first, or choose another name.',
  );
}
