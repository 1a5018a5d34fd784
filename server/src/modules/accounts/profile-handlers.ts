import type { HandlersFor } from '../../http/handler.ts';
import type { AccountsDeps } from './accounts-deps.ts';
import { changePassword } from './change-password.ts';
import { loadUser } from './confirm-person.ts';
import { disableMfa } from './disable-mfa.ts';
import { confirmMfa, enrolMfa } from './enrol-mfa.ts';
import { presentProfile } from './present.ts';
import { renewRecoveryCodes } from './renew-recovery-codes.ts';
import { organisationsOfUser, updateFirstName } from './user-store.ts';

export function profileHandlers(deps: AccountsDeps): HandlersFor<'profile'> {
  const { db } = deps.store;
  return {
    'profile.update': async ({ body, caller }) => {
      await updateFirstName(db, caller.userId, body.firstName.trim());
      const user = await loadUser(deps, caller.userId);
      return presentProfile(user, await organisationsOfUser(db, user.id));
    },
    'profile.password': async ({ body, caller, client }) => {
      await changePassword(deps, { ...caller, address: client.address }, body);
      return { message: 'The password has been changed. Your other sessions have been signed out.' };
    },
    'profile.mfa.enrol': ({ body, caller, client }) =>
      enrolMfa(deps, { ...caller, address: client.address }, body.currentPassword),
    'profile.mfa.confirm': async ({ body, caller, client }) => ({
      recoveryCodes: await confirmMfa(deps, { ...caller, address: client.address }, body.code),
    }),
    'profile.mfa.recovery-codes': async ({ body, caller, client }) => ({
      recoveryCodes: await renewRecoveryCodes(deps, { ...caller, address: client.address }, body.code),
    }),
    'profile.mfa.disable': async ({ body, caller, client }) => {
      await disableMfa(deps, { ...caller, address: client.address }, body);
      return { message: 'The second factor has been removed.' };
    },
  };
}
