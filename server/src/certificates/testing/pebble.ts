import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, runServer, type RunningServer } from './run-server.ts';
import { makeServerIdentity } from './test-pki.ts';

export interface PebbleOptions {
  /** Where it looks for answers, at the addresses that the names have. */
  httpPort: number;
  tlsPort?: number;
  /** Of certificates; left out: five years. */
  validitySeconds?: number;
  /** `127.0.0.1:5353`. */
  dnsServer: string;
  /** Named in certificates. */
  ocspUrl?: string;
  /** In percent: how often it refuses a good nonce, and how often it uses again what was proved before. */
  rejectsNonces?: number;
  reusesProofs?: number;
}

/**
 * A real certificate authority on loopback: Let's Encrypt's own for tests. What it knows is gone when it is stopped.
 */
export interface Pebble extends AsyncDisposable {
  directoryUrl: string;
  /** To trust its own https. */
  caFile: string;
  /** Of its own https, PEM. */
  identity: { certificate: string; key: string };
  /** What certificates lead to, PEM; another after each start. */
  root(): Promise<string>;
  /** What signs certificates, PEM. */
  issuer(): Promise<{ certificate: string; key: string }>;
  /** `Valid` or `Revoked`; the serial number in hexadecimal. */
  statusOf(serial: string): Promise<string>;
  stop(): Promise<void>;
  /** Begins anew, at the same address. */
  start(): Promise<void>;
}

export async function startPebble(options: PebbleOptions): Promise<Pebble> {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-pebble-'));
  const identity = await makeServerIdentity(folder);
  const ca = readFileSync(identity.caFile, 'utf8');
  const [port, managementPort] = [await freePort(), await freePort()];
  const get = (path: string, at = managementPort) => fetchText(`https://localhost:${at}${path}`, ca);
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate: identity.certificateFile,
    privateKey: identity.keyFile,
    httpPort: options.httpPort,
    tlsPort: options.tlsPort ?? 9,
    ocspResponderURL: options.ocspUrl ?? '',
    externalAccountBindingRequired: false,
    ...(options.validitySeconds && { certificateValidityPeriod: options.validitySeconds }),
  };
  const configFile = join(folder, 'pebble.json');
  writeFileSync(configFile, JSON.stringify({ pebble }));
  let server: RunningServer | null = null;
  const begin = async () => {
    server = await runServer(['pebble', '-config', configFile, '-dnsserver', options.dnsServer, '-strict'], {
      env: {
        PEBBLE_VA_NOSLEEP: '1',
        PEBBLE_WFE_NONCEREJECT: String(options.rejectsNonces ?? 5),
        PEBBLE_AUTHZREUSE: String(options.reusesProofs ?? 50),
      },
      answers: () =>
        Promise.all([get('/dir', port), get('/roots/0')]).then(
          () => true,
          () => false,
        ),
    });
  };
  const stop = async () => {
    await server?.stop();
    server = null;
  };
  await begin();
  return {
    directoryUrl: `https://localhost:${port}/dir`,
    caFile: identity.caFile,
    identity: {
      certificate: readFileSync(identity.certificateFile, 'utf8'),
      key: readFileSync(identity.keyFile, 'utf8'),
    },
    root: () => get('/roots/0'),
    issuer: async () => ({ certificate: await get('/intermediates/0'), key: await get('/intermediate-keys/0') }),
    statusOf: async (serial) => {
      const found = JSON.parse(await get(`/cert-status-by-serial/${serial.toLowerCase()}`)) as { Status: string };
      return found.Status;
    },
    stop,
    start: begin,
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function fetchText(url: string, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    // Each on a connection of its own: one that was kept would be that of a server that was stopped since.
    const asked = request(url, { ca, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('error', reject).once('end', () => {
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${url} answers ${response.statusCode}: ${text}`));
      });
    });
    asked.once('error', reject).end();
  });
}
