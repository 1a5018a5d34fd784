import { createPrivateKey, X509Certificate } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeCertificate } from './make-certificate.ts';

export interface CertificateFiles {
  certificate: string;
  key: string;
}

/**
 * The certificate that a server encrypts with, signed by itself, and its key: made once and kept, since clients may
 * have been told to trust this one. The key is readable to the platform alone until somebody hands it over.
 */
export async function ensureCertificate(folder: string, names: readonly string[]): Promise<CertificateFiles> {
  const files = { certificate: join(folder, 'server.crt'), key: join(folder, 'server.key') };
  if (areWhole(files)) return files;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const made = await makeCertificate(names);
  writeWhole(files.key, made.key, 0o600);
  writeWhole(files.certificate, made.certificate, 0o644);
  return files;
}

/** Whoever was killed half-way has left a key without its certificate. */
function areWhole({ certificate, key }: CertificateFiles): boolean {
  try {
    const known = new X509Certificate(readFileSync(certificate));
    return known.checkPrivateKey(createPrivateKey(readFileSync(key))) && Date.now() < known.validToDate.getTime();
  } catch {
    return false;
  }
}

function writeWhole(path: string, text: string, mode: number): void {
  // The folder may be the server's own: what is put in our way there is not followed.
  rmSync(`${path}.new`, { force: true });
  const file = openSync(`${path}.new`, 'wx', mode);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.new`, path);
}
