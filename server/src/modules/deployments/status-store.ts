import type { ApplicationStatus, EnvironmentStatus } from '@lilac/contract/states';
import type { Tx } from '../../db/pool.ts';

export async function setEnvironmentStatus(tx: Tx, id: string, status: EnvironmentStatus): Promise<void> {
  await tx.updateTable('environments').set({ status }).where('id', '=', id).execute();
}

export async function setApplicationStatus(tx: Tx, id: string, status: ApplicationStatus): Promise<void> {
  await tx.updateTable('applications').set({ status }).where('id', '=', id).execute();
}
