import type { Handlers } from '../../http/handler.ts';
import { Fault } from '../../lib/fault.ts';
import type { AccountsDeps } from './accounts-deps.ts';
import { answerTokens } from './answer-tokens.ts';
import { loadUser } from './confirm-person.ts';
import { endSession, signOut } from './end-session.ts';
import { ownRefreshToken } from './own-refresh-token.ts';
import { presentProfile, presentSession } from './present.ts';
import { refreshSession } from './refresh-session.ts';
import { listSessions } from './session-store.ts';
import { organisationsOfUser } from './user-store.ts';

type Names = 'auth.refresh' | 'auth.logout' | 'auth.profile' | 'auth.sessions' | 'auth.sessions.revoke';

export function sessionHandlers(deps: AccountsDeps): Pick<Handlers, Names> {
  const { store, clock } = deps;
  return {
    'auth.refresh': async ({ body, client, response }) => {
      const refreshToken = body?.refreshToken ?? (await ownRefreshToken(deps, client.refreshCookies));
      if (!refreshToken) throw new Fault('CA001', 'Send refreshToken in the body, or the cookie that holds it.');
      const { idempotencyKey, address } = client;
      const pair = await refreshSession(deps, { refreshToken, idempotencyKey, address });
      // What came in a cookie leaves in one, whatever the headers: no script of a page gets to read it.
      const type = body?.refreshToken ? client.type : 'browser';
      return answerTokens(pair, { client: { ...client, type }, response });
    },
    'auth.logout': async ({ body, client, response }) => {
      await signOut(deps, body?.refreshToken ?? (await ownRefreshToken(deps, client.refreshCookies)));
      response.clearRefreshCookie();
      return { message: 'Signed out.' };
    },
    'auth.profile': async ({ caller }) => {
      const user = await loadUser(deps, caller.userId);
      return presentProfile(user, await organisationsOfUser(store.db, user.id));
    },
    'auth.sessions': async ({ caller }) => {
      const sessions = await listSessions(store.db, caller.userId, clock.now());
      return sessions.map((session) => presentSession(session, caller.sessionId));
    },
    'auth.sessions.revoke': async ({ body, caller, response }) => {
      await endSession(deps, { userId: caller.userId, sessionId: body.sessionId });
      if (body.sessionId === caller.sessionId) response.clearRefreshCookie();
      return { revoked: true };
    },
  };
}
