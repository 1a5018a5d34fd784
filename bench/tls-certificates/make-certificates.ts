import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLocalAuthority, openLocalAuthority } from '../../server/src/certificates/local/local-authority.ts';
import { writeCertificateSnapshot } from '../../server/src/edge/certificates/certificate-snapshot.ts';
import { CertificateTable } from '../../server/src/edge/certificates/certificate-table.ts';
import { openKeyring } from '../../server/src/secrets/key-file.ts';

export const nameOf = (n: number): string => `www.shop-${n}.example.org`;
export const SNAPSHOT = 'certificates.json';
export const KEYRING = 'keyring.json';

/** As many certificates as asked for, with a key of its own each: as an edge finds them at its start, and as files. */
export async function makeCertificates(folder: string, count: number): Promise<void> {
  const authority = openLocalAuthority(createLocalAuthority(new Date(), { names: ['example.org'], addresses: [] }));
  const [table, keyring] = [new CertificateTable(), openKeyring(join(folder, KEYRING))];
  mkdirSync(join(folder, 'pem'));
  for (let n = 0; n < count; n++) {
    const [id, hostname] = [`crt_${n}`, nameOf(n)];
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { chain, notAfter } = authority.sign([hostname], publicKey, new Date());
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    writeFileSync(join(folder, 'pem', `${n}.pem`), chain + key);
    const sealedKey = keyring.seal(key, { table: 'certificates', row: id, column: 'private_key' });
    table.put({ id, hostname, version: n + 1, chain, sealedKey, notAfter, ocsp: null });
  }
  const snapshot = { certificates: [...table.all()], authority: null, ticketSecret: null };
  await writeCertificateSnapshot(join(folder, SNAPSHOT), snapshot);
}
