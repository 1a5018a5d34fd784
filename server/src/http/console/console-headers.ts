import type { Config } from '../../config.ts';

/** Nothing inline, nothing foreign, no frames; forms are sent by the script, never by the browser. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What the console's files carry over what every answer carries. */
export function consoleHeaders({ publicUrl }: Pick<Config, 'publicUrl'>): Record<string, string> {
  return {
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'referrer-policy': 'same-origin',
    // On plain http browsers ignore it, and complain.
    ...(publicUrl.protocol === 'https:' ? { 'cross-origin-opener-policy': 'same-origin' } : {}),
  };
}
