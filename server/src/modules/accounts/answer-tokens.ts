import type { Client, Response } from '../../http/handler.ts';
import type { SessionDeps } from './accounts-deps.ts';
import { createSession, type TokenPair } from './create-session.ts';
import { deviceLabel } from './device-label.ts';

export interface Answering {
  client: Client;
  response: Response;
}

/** A terminal reads the refresh token from the body; a browser gets it where no script can read it. */
export function answerTokens(
  { token, refreshToken }: TokenPair,
  { client, response }: Answering,
): { token: string; refreshToken?: string } {
  if (client.type === 'cli') return { token, refreshToken };
  response.setRefreshCookie(refreshToken);
  return { token };
}

/** Signs the person in on the device that calls. */
export async function answerNewSession(deps: SessionDeps, userId: string, { client, response }: Answering) {
  const session = await createSession(deps, {
    userId,
    kind: client.type,
    device: deviceLabel({ userAgent: client.userAgent }),
    address: client.address,
  });
  return answerTokens(session, { client, response });
}
