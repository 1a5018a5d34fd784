import { endedSession, Fault } from '../../lib/fault.ts';
import type { StoreDeps } from './accounts-deps.ts';
import type { Person } from './confirm-person.ts';
import { decidePendingDevice, findPendingDevice, type DeviceAuthorizationRow } from './device-authorization-store.ts';
import { normaliseUserCode } from './device-authorization.ts';
import { holdLiveSession } from './session-store.ts';
import { throttleAttempt } from './throttle-attempt.ts';

/** What the approval page shows before the person decides. */
export async function lookUpDevice(
  deps: StoreDeps,
  { userId, address }: Person,
  userCode: string,
): Promise<DeviceAuthorizationRow> {
  return await throttleAttempt(deps, { purpose: 'device', address, account: userId }, async () => {
    const code = normaliseUserCode(userCode);
    const device = code ? await findPendingDevice(deps.store.db, code, deps.clock.now()) : undefined;
    if (!device) throw unknownCode();
    return device;
  });
}

/** An approval is a new session, so the one that approves must not have ended, not even since admission. */
export async function decideDevice(
  deps: StoreDeps,
  { userId, sessionId, address }: Person,
  { userCode, approve }: { userCode: string; approve: boolean },
): Promise<void> {
  await throttleAttempt(deps, { purpose: 'device', address, account: userId }, async () => {
    const code = normaliseUserCode(userCode);
    if (!code) throw unknownCode();
    const [state, now] = [approve ? 'approved' : 'denied', deps.clock.now()] as const;
    await deps.store.db.transaction().execute(async (tx) => {
      if (!(await holdLiveSession(tx, { userId, sessionId, now }))) throw endedSession();
      if (!(await decidePendingDevice(tx, { userCode: code, userId, state, now }))) throw unknownCode();
    });
  });
}

function unknownCode(): Fault {
  return new Fault('NF001', 'No device waits for this code. It may have expired: start again on the device.');
}
