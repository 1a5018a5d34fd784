import { randomUUID } from 'node:crypto';
import { compactDecrypt, CompactEncrypt } from 'jose';
import type { Clock } from '../../lib/clock.ts';

const MAX_AGE_SECONDS = 60;
/** Another process of ours may encrypt, on a host whose clock is a little ahead. */
const MAX_SKEW_SECONDS = 5;

interface Payload {
  password: string;
  /** Seconds, as everywhere in JOSE. */
  iat: number;
  jti: string;
}

/** What the console back end sends to sign-in in place of the password: only it holds the key. */
export function encryptConsolePassword(key: Buffer, password: string, clock: Clock): Promise<string> {
  const payload: Payload = { password, iat: secondsOf(clock), jti: randomUUID() };
  return new CompactEncrypt(Buffer.from(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(key);
}

/** Null for whatever the console back end did not encrypt within the last minute. */
export async function decryptConsolePassword(key: Buffer, jwe: string, clock: Clock): Promise<string | null> {
  const payload = await decryptPayload(key, jwe);
  if (!payload) return null;
  const ageSeconds = secondsOf(clock) - payload.iat;
  return ageSeconds >= -MAX_SKEW_SECONDS && ageSeconds < MAX_AGE_SECONDS ? payload.password : null;
}

async function decryptPayload(key: Buffer, jwe: string): Promise<Payload | null> {
  try {
    const { plaintext } = await compactDecrypt(jwe, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    // Whoever could encrypt this holds the key, so its shape is ours.
    return JSON.parse(Buffer.from(plaintext).toString('utf8')) as Payload;
  } catch {
    return null;
  }
}

function secondsOf(clock: Clock): number {
  return Math.floor(clock.now().getTime() / 1000);
}
