import type { Tx } from '../../db/pool.ts';
import { conflict } from '../../lib/fault.ts';
import { findEnvironmentNamed } from './environment-store.ts';

/** Call it with the application's structure held: nobody can then take the name in between. */
export async function assertNameFree(
  tx: Tx,
  { applicationId, name, self }: { applicationId: string; name: string; self?: string },
): Promise<void> {
  const holder = await findEnvironmentNamed(tx, { applicationId, name });
  if (!holder || holder.id === self) return;
  throw conflict(
    holder.status === 'deleting'
      ? 'An environment of this name is still being deleted. Try again in a moment.'
      : 'The application has an environment of this name already. Choose another name.',
  );
}
