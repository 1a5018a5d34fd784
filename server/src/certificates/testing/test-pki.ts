import { join } from 'node:path';
import { run } from '../../lib/exec.ts';

export interface ServerIdentity {
  /** What to trust. */
  caFile: string;
  certificateFile: string;
  keyFile: string;
}

/** An authority of its own and a certificate for `localhost`, by openssl. */
export async function makeServerIdentity(folder: string): Promise<ServerIdentity> {
  const at = (name: string) => join(folder, name);
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'];
  await openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    at('ca.key'),
    '-out',
    at('ca.pem'),
    '-subj',
    '/CN=Test authority',
  );
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1';
  const signed = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-addext', 'basicConstraints=critical,CA:FALSE'];
  const own = ['-keyout', at('server.key'), '-out', at('server.pem'), '-subj', '/CN=localhost', '-addext', names];
  await openssl('req', '-x509', ...newKey, ...signed, ...own);
  return { caFile: at('ca.pem'), certificateFile: at('server.pem'), keyFile: at('server.key') };
}

export async function openssl(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run(['openssl', ...args], { env: { PATH: '/usr/bin:/bin' } });
  if (exitCode !== 0) throw new Error(`openssl ${args[0]}: ${stderr}`);
  return stdout;
}
