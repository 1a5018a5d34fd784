import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pebble } from './pebble.ts';
import { runServer, type RunningServer } from './run-server.ts';
import { openssl } from './test-pki.ts';

/** Says of pebble's certificates whether they are good: OpenSSL's own responder. */
export interface OcspResponder extends AsyncDisposable {
  /** From now on it knows these, by their serial numbers in hexadecimal; of others it knows nothing. */
  tell(known: { good?: readonly string[]; revoked?: readonly string[] }): Promise<void>;
  stop(): Promise<void>;
}

export interface ResponderOptions {
  port: number;
  /** It is not the authority itself that signs, but one it has appointed; or one it has not. */
  signer?: 'authority' | 'appointed' | 'anybody';
}

export async function startOcspResponder(
  pebble: Pebble,
  { port, signer = 'authority' }: ResponderOptions,
): Promise<OcspResponder> {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-ocsp-'));
  const at = (name: string) => join(folder, name);
  const { certificate, key } = await pebble.issuer();
  writeFileSync(at('issuer.pem'), certificate);
  writeFileSync(at('issuer.key'), key);
  if (signer !== 'authority') await appoint(at, signer);
  const signing = signer === 'authority' ? 'issuer' : 'signer';
  let server: RunningServer | null = null;
  const stop = async () => {
    await server?.stop();
    server = null;
  };
  return {
    async tell({ good = [], revoked = [] }) {
      await stop();
      const lines = [...good.map((serial) => line('V', serial)), ...revoked.map((serial) => line('R', serial))];
      writeFileSync(at('index.txt'), lines.map((each) => `${each}\n`).join(''));
      writeFileSync(at('index.txt.attr'), 'unique_subject = no\n');
      const signs = ['-rsigner', at(`${signing}.pem`), '-rkey', at(`${signing}.key`), '-ndays', '2'];
      server = await runServer(
        ['openssl', 'ocsp', '-index', at('index.txt'), '-CA', at('issuer.pem'), ...signs, '-port', String(port)],
        // It serves one at a time, so whoever only knocks keeps all others out.
        { answers: (said) => said.includes('waiting for OCSP client connections') },
      );
    },
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** As `openssl ca` writes it. */
const line = (state: 'V' | 'R', serial: string): string =>
  [state, '400101000000Z', state === 'R' ? '260101000000Z' : '', even(serial), 'unknown', '/CN=x'].join('\t');

const even = (serial: string): string => (serial.length % 2 === 0 ? serial : `0${serial}`).toUpperCase();

async function appoint(at: (name: string) => string, signer: 'appointed' | 'anybody'): Promise<void> {
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'];
  const own = ['-keyout', at('signer.key'), '-out', at('signer.pem'), '-subj', '/CN=Responder'];
  const usage = signer === 'appointed' ? 'extendedKeyUsage=OCSPSigning' : 'extendedKeyUsage=serverAuth';
  const signed = ['-CA', at('issuer.pem'), '-CAkey', at('issuer.key'), '-addext', usage];
  await openssl('req', '-x509', ...newKey, ...signed, ...own);
}
