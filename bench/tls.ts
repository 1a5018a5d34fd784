/**
 * What does https cost at the edge, against nginx on the same core? Handshakes that resume a session, whole ones, and
 * requests for a small file over kept connections. Both have a certificate of the same kind (ECDSA, P-256) and the
 * same file; short rounds take turns. The edge is the platform's own, with one process.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAccount } from '../e2e/acknowledged-writes.ts';
import { createDeployer } from '../e2e/deploying.ts';
import { findFreePort, startPlatform } from '../e2e/platform.ts';
import { run } from '../server/src/lib/exec.ts';
import { cpuMicrosOf } from './edge-static/cpu-time.ts';
import { sendLoad } from './edge-static/load.ts';
import { PATH, requirePrograms } from './edge-static/programs.ts';
import { SERVES_FILES, startNginx } from './edge-static/start-nginx.ts';
import { scratchFolder } from './measuring/interruption.ts';
import { median } from './measuring/median.ts';
import { report } from './measuring/report.ts';
import { roundsOf } from './measuring/rounds-of.ts';
import { countHandshakes } from './tls/handshakes.ts';

const ROUNDS = roundsOf(9);
const WARM_UP_ROUNDS = 1;
const SERVER_CORE = '1';

interface SecurePeer {
  name: string;
  port: number;
  pids(): number[];
}

await requirePrograms({ nginx: 'nginx-light', wrk: 'wrk', taskset: 'util-linux', openssl: 'openssl' });
const folder = scratchFolder('tls');
const content = 'x'.repeat(1024);
const tlsPort = await findFreePort();
await using platform = await startPlatform({
  env: { LILAC_TLS_PORT: String(tlsPort), LILAC_EDGE_PROCESSES: '1', LILAC_LOG_LEVEL: 'warn' },
});
const deployer = createDeployer(platform, await createAccount(platform));
const application = await deployer.createFromFiles('Small', { 'index.html': 'x', 'file.bin': content });
await deployer.healthy((await deployer.newest(application)).id);
const pids = () => platform.pids()['edge']!;
await run(['taskset', '-a', '-c', '-p', SERVER_CORE, String(pids()[0])], { env: { PATH } });
const nginx = await startSecureNginx();
try {
  const host = new URL(application.url).hostname;
  const peers: SecurePeer[] = [{ name: 'edge', port: tlsPort, pids }, nginx];
  await compare(peers, 'a handshake that resumes', ({ port }) => countHandshakes(port, { isResumed: true }));
  await compare(peers, 'a whole handshake', ({ port }) => countHandshakes(port, { isResumed: false }));
  await compare(peers, 'a request for 1 KB', async ({ port }) => {
    const began = performance.now();
    const { answers } = await sendLoad({ scheme: 'https', port, path: '/file.bin', host });
    return { count: answers, seconds: (performance.now() - began) / 1000 };
  });
} finally {
  await nginx.stop();
}

interface Counted {
  count: number;
  seconds: number;
}

async function compare(peers: SecurePeer[], what: string, act: (peer: SecurePeer) => Promise<Counted>): Promise<void> {
  const rounds: Record<string, { micros: number; rate: number }>[] = [];
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const costs: (typeof rounds)[number] = {};
    for (const peer of peers) {
      const before = cpuMicrosOf(peer.pids());
      const { count, seconds } = await act(peer);
      costs[peer.name] = { micros: (cpuMicrosOf(peer.pids()) - before) / count, rate: count / seconds };
    }
    if (round >= 0) rounds.push(costs);
  }
  const of = (name: string, read: 'micros' | 'rate') => median(rounds.map((costs) => costs[name]![read]));
  for (const { name } of peers) console.log(`${what}, ${name}: ${of(name, 'rate').toFixed(0)} a second`);
  report({
    name: `processor time of ${what}, against nginx`,
    unit: 'µs',
    ours: of('edge', 'micros'),
    theirs: of('nginx', 'micros'),
    ratio: median(rounds.map((costs) => costs['edge']!.micros / costs['nginx']!.micros)),
  });
}

async function startSecureNginx() {
  const port = await findFreePort();
  const [key, certificate] = ['key.pem', 'certificate.pem'].map((name) => join(folder, name));
  writeFileSync(join(folder, 'file.bin'), content);
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
  const made = await run(
    ['openssl', 'req', '-x509', ...curve, '-nodes', '-subj', '/CN=localhost', '-keyout', key!, '-out', certificate!],
    { env: { PATH } },
  );
  if (made.exitCode !== 0) throw new Error(made.stderr);
  const http = `${SERVES_FILES}
      server {
        listen 127.0.0.1:${port} ssl http2; root ${folder};
        ssl_certificate ${certificate}; ssl_certificate_key ${key};
        ssl_protocols TLSv1.2 TLSv1.3; ssl_session_cache shared:s:10m; ssl_session_tickets on;
      }`;
  return startNginx({ folder, port, http });
}
