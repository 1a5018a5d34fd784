import type { Tx } from '../../db/pool.ts';
import type { EnvironmentRow } from '../../db/schema.ts';
import { conflict, notFound } from '../../lib/fault.ts';
import { lockEnvironment } from './environment-store.ts';

/**
 * The environment as it is now, the caller's to change until the transaction ends. It can be read while it is deleted,
 * not changed.
 */
export async function holdEnvironment(tx: Tx, id: string): Promise<EnvironmentRow> {
  const environment = await lockEnvironment(tx, id);
  if (!environment) throw notFound('Environment');
  if (environment.status === 'deleting') throw conflict('This environment is being deleted.');
  return environment;
}
