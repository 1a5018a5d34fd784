import { SESSION_CONTEXT } from '../certificates/secure-names.ts';

/** How long a session may be taken up again; but the keys for that change once a day. */
const SESSION_SECONDS = 8 * 3600;
/** Of TLS 1.2 only what keeps secrets even from who gets hold of the key later. */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/** What holds for every handshake, whoever is asked for. */
export const SECURITY = {
  minVersion: 'TLSv1.2',
  ciphers: CIPHERS,
  sessionTimeout: SESSION_SECONDS,
  sessionIdContext: SESSION_CONTEXT,
} as const;
