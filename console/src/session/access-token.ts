export interface AccessToken {
  text: string;
  /** A new sign-in is a new session, even in a tab that stayed open. */
  sessionId: string;
  userId: string;
  /** By this computer's clock, which may differ from the server's. */
  expiresAtMs: number;
}

interface Claims {
  sid: string;
  sub: string;
  iat: number;
  exp: number;
}

/** Reads what the console needs from a token; only the server ever judges one. */
export function readAccessToken(text: string, nowMs: number): AccessToken {
  const claims = JSON.parse(decodeBase64Url(text.split('.')[1] ?? '')) as Claims;
  return { text, sessionId: claims.sid, userId: claims.sub, expiresAtMs: nowMs + (claims.exp - claims.iat) * 1000 };
}

function decodeBase64Url(text: string): string {
  return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
}
