import { roleHas } from '@lilac/contract/permissions';
import type { Tx } from '../../../db/pool.ts';
import { Fault } from '../../../lib/fault.ts';
import type { HostInstallation } from '../../../vcs/vcs-host.ts';
import { recordActivity } from '../../activity/record-activity.ts';
import { listWaitingAtInstallation } from '../hooks/hook-store.ts';
import { enqueueHooks } from '../hooks/job-kinds.ts';
import { holdRole, insertLink, saveInstallation } from './installation-store.ts';

export interface Linker {
  organisationId: string;
  userId: string;
}

/**
 * What a person may do is read when it is done: they may have begun an hour ago. It stays so until the transaction
 * ends.
 */
export async function assertMayLink(tx: Tx, linker: Linker): Promise<void> {
  const role = await holdRole(tx, linker);
  if (!role) throw new Fault('CA004');
  if (roleHas(role, 'update:projects')) return;
  throw new Fault(
    'CA005',
    `The role "${role}" may not link repository hosts. An admin of the organisation must do it.`,
  );
}

/** For somebody of whom the host has said that they administer the account. */
export async function linkInstallation(
  tx: Tx,
  { organisationId, userId, installation }: Linker & { installation: HostInstallation },
): Promise<void> {
  await saveInstallation(tx, installation);
  const isNew = await insertLink(tx, { organisationId, userId, installationId: installation.id });
  for (const applicationId of await listWaitingAtInstallation(tx, installation.id)) {
    await enqueueHooks(tx, { applicationId });
  }
  if (!isNew) return;
  const subject = installation.account.login;
  const caller = { kind: 'session', userId } as const;
  await recordActivity(tx, { organisationId, subject, action: 'installation_linked', caller });
}
