/** What the edge says at the platform's own address, and at nobody's. */

/** A request to the api is here within this time. */
export const REQUEST_LIMIT_MS = 300_000;
const RETRY_AFTER_SECONDS = 5;

export const notUnderstood = {
  code: 'VA001',
  title: 'This request is not understood',
  message: 'This is not a valid HTTP request: look at its target, its Host and its Transfer-Encoding.',
} as const;
export const unknownHost = {
  code: 'NF001',
  title: 'Nothing is here',
  message: 'This address is not known here. If you run this platform, set LILAC_PUBLIC_URL to the address you use.',
} as const;
/** Browsers then come by a connection of its own, without a word to anybody (RFC 9110, 15.5.20). */
export const misdirected = {
  code: 'VA001',
  status: 421,
  title: 'This came by the wrong connection',
  message:
    'The certificate of this connection is not for the host that is asked for. Connect by the name of that host.',
} as const;
export const apiUnavailable = {
  code: 'SV002',
  title: 'Back in a moment',
  retryAfterSeconds: RETRY_AFTER_SECONDS,
} as const;
export const apiBroke = { code: 'SV003', title: 'The connection broke', mayHaveHadEffect: true } as const;
