import { generateKeyPairSync } from 'node:crypto';

/** ECDSA P-256, PEM. */
export function newPrivateKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}
