import type { Tx } from '../../../db/pool.ts';
import type { Doer } from '../../activity/activity.ts';
import { recordActivity } from '../../activity/record-activity.ts';
import { tellOfLoss } from '../tell-of-loss.ts';
import { forgetInstallation } from './installation-store.ts';

export interface Loss {
  installationId: number;
  /** Who removed it, in their organisation. Left out: it was removed at the host, by whomever. */
  uninstalledBy?: { organisationId: string; caller: Doer };
}

/**
 * An installation that is no longer there is taken from every organisation, and each is told by its activity. What one
 * organisation's people do is not told to another. False when it was not known.
 */
export async function loseInstallation(tx: Tx, { installationId, uninstalledBy }: Loss): Promise<boolean> {
  const forgotten = await forgetInstallation(tx, installationId);
  if (!forgotten) return false;
  const subject = forgotten.accountLogin;
  for (const organisationId of forgotten.organisationIds) {
    const isTheirs = uninstalledBy?.organisationId === organisationId;
    await recordActivity(tx, {
      organisationId,
      subject,
      action: isTheirs ? 'installation_uninstalled' : 'installation_gone',
      caller: isTheirs ? uninstalledBy.caller : 'platform',
    });
    await tellOfLoss(tx, { organisationId, provider: 'provider1', accountLogin: subject });
  }
  return true;
}
