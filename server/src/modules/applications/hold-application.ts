import type { Tx } from '../../db/pool.ts';
import type { ApplicationRow } from '../../db/schema.ts';
import { conflict, notFound } from '../../lib/fault.ts';
import { lockApplication } from './application-store.ts';

/** The application as it is now, its structure the caller's until the transaction ends. */
export async function holdApplication(tx: Tx, id: string): Promise<ApplicationRow> {
  const application = await lockApplication(tx, id);
  if (!application) throw notFound('Application');
  if (application.status === 'deleting') throw conflict('This application is being deleted.');
  return application;
}
