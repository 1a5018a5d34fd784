import type { HandlersFor } from '../../http/handler.ts';
import type { AccountsDeps } from './accounts-deps.ts';
import { deviceHandlers } from './device-handlers.ts';
import { profileHandlers } from './profile-handlers.ts';
import { sessionHandlers } from './session-handlers.ts';
import { signInHandlers } from './sign-in-handlers.ts';

export function accountHandlers(deps: AccountsDeps): HandlersFor<'auth'> & HandlersFor<'profile'> {
  return { ...signInHandlers(deps), ...sessionHandlers(deps), ...deviceHandlers(deps), ...profileHandlers(deps) };
}
