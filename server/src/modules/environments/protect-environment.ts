import type { EnvironmentRow } from '../../db/schema.ts';
import type { Caller } from '../../http/handler.ts';
import { invalid } from '../../lib/fault.ts';
import { newToken } from '../../lib/hash.ts';
import type { RouteLock } from '../../routing/route.ts';
import { publishRoute } from '../../routing/route-store.ts';
import { hashPassword } from '../accounts/password.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { holdApplication } from '../applications/hold-application.ts';
import { updateEnvironment } from './environment-store.ts';
import type { EnvironmentsDeps } from './environments-deps.ts';
import { holdEnvironment } from './hold-environment.ts';
import { letEdgesFollow, UNTIL_ALL_FOLLOWED } from './let-edges-follow.ts';

export interface ProtectRequest {
  environment: Pick<EnvironmentRow, 'id' | 'application_id'>;
  caller: Caller;
  protection: { enabled: boolean; password?: string };
}

/** Every password comes with a new key: whoever came in with the one before is asked again. */
export async function protectEnvironment(
  { store: { db } }: Pick<EnvironmentsDeps, 'store'>,
  { environment: { id, application_id: applicationId }, caller, protection }: ProtectRequest,
): Promise<EnvironmentRow> {
  const passwordHash = await hashOf(protection);
  const lock: RouteLock | null = passwordHash === null ? null : { key: newToken() };
  const { after, version } = await db.transaction().execute(async (tx) => {
    await holdApplication(tx, applicationId);
    const before = await holdEnvironment(tx, id);
    if (before.password_hash === null && passwordHash === null) return { after: before, version: null };
    const changed = await updateEnvironment(tx, id, { password_hash: passwordHash });
    const { organisation_id: organisationId, subdomain } = changed;
    const action = passwordHash === null ? 'password_removed' : 'password_set';
    await recordActivity(tx, { organisationId, applicationId, environmentId: id, action, caller });
    return { after: changed, version: await publishRoute(tx, { environmentId: id, subdomain, lock }) };
  });
  await letEdgesFollow(db, version, UNTIL_ALL_FOLLOWED);
  return after;
}

/** Before the transaction: it takes long. Null opens the address. */
async function hashOf({ enabled, password }: ProtectRequest['protection']): Promise<string | null> {
  if (!enabled) return null;
  if (password === undefined) throw invalid('password is required when enabled is true.');
  return hashPassword(password);
}
