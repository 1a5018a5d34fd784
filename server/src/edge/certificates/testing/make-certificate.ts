import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createLocalAuthority, openLocalAuthority } from '../../../certificates/local/local-authority.ts';
import type { ServedCertificate } from '../../../certificates/served-certificate-store.ts';
import { openKeyring, type RotatingKeyring } from '../../../secrets/key-file.ts';

export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-certificates-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const makeKeyring = (folder = makeFolder()): RotatingKeyring => openKeyring(join(folder, 'keyring.json'));

/** Stands for one that the world believes. */
export const authority = openLocalAuthority(
  createLocalAuthority(new Date(), { names: ['com', 'example', 'localhost', 'org', 'test'], addresses: ['0.0.0.0/0'] }),
);

/** As the store would have it. */
export function makeCertificate(
  keyring: RotatingKeyring,
  hostname: string,
  change: Partial<ServedCertificate> = {},
): ServedCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { id = `crt_${hostname}`, version = 1, ocsp = null } = change;
  const { chain, notAfter } = authority.sign([hostname], publicKey, new Date());
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const sealedKey = keyring.seal(pem, { table: 'certificates', row: id, column: 'private_key' });
  return { id, hostname, version, ocsp, chain, sealedKey, notAfter, ...change };
}
