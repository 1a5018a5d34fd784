import type { Config } from '../config.ts';

/** `same`: no CORS headers needed; `allowed`: another origin on the list; `refused`: answer CA010. */
export type OriginVerdict = 'none' | 'same' | 'allowed' | 'refused';

/** Decides by the Origin header. Programs other than browsers send none and are let through. */
export function createOriginCheck(
  config: Pick<Config, 'publicUrl' | 'allowedOrigins'>,
): (origin: string | undefined, ownOrigin: string) => OriginVerdict {
  const allowed = new Set([config.publicUrl.origin, ...config.allowedOrigins]);
  return (origin, ownOrigin) => {
    if (origin === undefined) return 'none';
    if (origin === ownOrigin) return 'same';
    return allowed.has(origin) ? 'allowed' : 'refused';
  };
}

export function crossOriginHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers':
      'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy, Retry-After, X-Request-Id, X-Next-Cursor, X-As-Of, X-Partial',
    vary: 'Origin',
  };
}

export function preflightHeaders(methods: readonly string[]): Record<string, string> {
  return {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': 'Authorization, Content-Type, X-Client-Type, Idempotency-Key, Last-Event-ID',
    'access-control-max-age': '600',
  };
}
