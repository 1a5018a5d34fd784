export interface Lifetime {
  /** By the platform's clock. */
  expiresAtMs: number;
  lifetimeMs: number;
}

/**
 * Reads from an access token how long it lives; only the platform ever judges one. Nothing for what is no such token.
 */
export function readLifetime(token: string): Lifetime | undefined {
  try {
    const claims = JSON.parse(decodeBase64Url(token.split('.')[1] ?? '')) as { iat?: unknown; exp?: unknown };
    const { iat, exp } = claims;
    if (typeof exp !== 'number' || typeof iat !== 'number') return undefined;
    return { expiresAtMs: exp * 1000, lifetimeMs: (exp - iat) * 1000 };
  } catch {
    return undefined;
  }
}

function decodeBase64Url(text: string): string {
  return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
}
