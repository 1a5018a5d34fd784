import { Fault } from '../lib/fault.ts';
import type { AccessTokens } from '../modules/accounts/access-token.ts';
import { hashApiKey, parseApiKey } from '../modules/api-keys/api-key.ts';
import type { SessionCaller } from './handler.ts';

/** What the Authorization header proves by itself. A key is proven only by the store, in admission. */
export type Credential = SessionCaller | PresentedKey;

export interface PresentedKey {
  kind: 'key';
  publicId: string;
  secretHash: Buffer;
}

const BEARER = /^Bearer +([\w.~+/=-]+) *$/i;

export async function authenticate(
  header: string | undefined,
  accessTokens: Pick<AccessTokens, 'verify'>,
): Promise<Credential> {
  if (header === undefined) throw new Fault('CA001');
  const token = BEARER.exec(header)?.[1];
  if (!token) throw new Fault('CA002');
  const credential = token.startsWith('lc_') ? presentedKey(token) : await accessTokens.verify(token);
  if (!credential) throw new Fault('CA002');
  return credential;
}

function presentedKey(token: string): PresentedKey | null {
  const parsed = parseApiKey(token);
  return parsed && { kind: 'key', publicId: parsed.publicId, secretHash: hashApiKey(token) };
}
