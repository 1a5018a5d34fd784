import type { ConsolePath } from '@lilac/contract/console-paths';
import type { Config } from '../../config.ts';
import { sameSiteSources } from './same-site-sources.ts';

/**
 * The one page whose form the browser itself sends: to the first repository host, which answers with a page of its own.
 */
const POSTING_PAGE: ConsolePath = '/repository-hosts';

/** Nothing inline, nothing foreign, no frames; forms are sent by the script, never by the browser. */
function contentSecurityPolicy({ formAction, connect }: { formAction: string; connect: string }): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src ${connect}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Where archives are sent to; null where that is the platform itself. */
export interface UploadOrigin {
  uploadOrigin: string | null;
}

/** What the console's files and pages carry over what every answer carries. */
export function consoleHeaders(
  { publicUrl, vcsUrls, uploadOrigin }: Pick<Config, 'publicUrl' | 'vcsUrls'> & UploadOrigin,
  page?: ConsolePath,
): Record<string, string> {
  const isPosting = page === POSTING_PAGE;
  return {
    'content-security-policy': contentSecurityPolicy({
      formAction: isPosting ? hostAndBack(vcsUrls.provider1) : "'none'",
      connect: uploadOrigin ? `'self' ${uploadOrigin}` : "'self'",
    }),
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    // The host that a form is posted to may know from where, and no more.
    'referrer-policy': isPosting ? 'strict-origin' : 'same-origin',
    // On plain http browsers ignore it, and complain.
    ...(publicUrl.protocol === 'https:' ? { 'cross-origin-opener-policy': 'same-origin' } : {}),
  };
}

/**
 * Browsers hold what the host answers the form with to the policy too: signing in elsewhere on its site, or the way
 * back.
 */
function hostAndBack(host: URL): string {
  return ["'self'", ...sameSiteSources(host)].join(' ');
}
