import type { Handlers } from '../../http/handler.ts';
import type { AccountsDeps } from './accounts-deps.ts';
import { answerNewSession } from './answer-tokens.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { registerAccount } from './register-account.ts';
import { canSetUp, setUpPlatform } from './set-up-platform.ts';
import { signIn } from './sign-in.ts';

type Names = 'auth.login' | 'auth.login.mfa' | 'auth.setup' | 'auth.setup.lookup' | 'auth.register';

export function signInHandlers(deps: AccountsDeps): Pick<Handlers, Names> {
  return {
    'auth.login': async ({ body, client, response }) => {
      const { email, password: encryptedPassword } = body;
      const result = await signIn(deps, { email, encryptedPassword, address: client.address });
      return result.kind === 'second factor'
        ? { mfaRequired: true, pendingToken: result.pendingToken }
        : await answerNewSession(deps, result.userId, { client, response });
    },
    'auth.login.mfa': async ({ body, client, response }) => {
      const userId = await finishSignIn(deps, { ...body, address: client.address });
      return await answerNewSession(deps, userId, { client, response });
    },
    'auth.setup': async ({ body, client, response }) => {
      const { userId } = await setUpPlatform(deps, body);
      return await answerNewSession(deps, userId, { client, response });
    },
    'auth.setup.lookup': async ({ body }) => ({ usable: await canSetUp(deps, body.setupToken) }),
    'auth.register': async ({ body, client, response }) => {
      const userId = await registerAccount(deps, body);
      return await answerNewSession(deps, userId, { client, response });
    },
  };
}
