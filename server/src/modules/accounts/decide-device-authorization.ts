import { Fault } from '../../lib/fault.ts';
import type { StoreDeps } from './accounts-deps.ts';
import type { Person } from './confirm-person.ts';
import { decidePendingDevice, findPendingDevice, type DeviceAuthorizationRow } from './device-authorization-store.ts';
import { normaliseUserCode } from './device-authorization.ts';
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

export async function decideDevice(
  deps: StoreDeps,
  { userId, address }: Person,
  { userCode, approve }: { userCode: string; approve: boolean },
): Promise<void> {
  await throttleAttempt(deps, { purpose: 'device', address, account: userId }, async () => {
    const code = normaliseUserCode(userCode);
    const state = approve ? 'approved' : 'denied';
    const decision = code && ({ userCode: code, userId, state, now: deps.clock.now() } as const);
    if (!decision || !(await decidePendingDevice(deps.store.db, decision))) throw unknownCode();
  });
}

function unknownCode(): Fault {
  return new Fault('NF001', 'No device waits for this code. It may have expired: start again on the device.');
}
