/**
 * What does a static file cost at the edge? CPU time per request of a 1 KB and a 64 KB file, against nginx
 * and Caddy, which are set up to do the same job: sites by host name, addresses without `.html`, compressed
 * forms where they are, a 404 page. The requests are a browser's. Each server has one core to itself, the
 * load comes from another; short rounds take turns, so that whatever else the machine does falls on all
 * alike. The edge is the real role as the supervisor starts it, with 100,000 routes in its table, beside the
 * store it follows.
 */
import { availableParallelism } from 'node:os';
import { sendLoad } from './edge-static/load.ts';
import { cpuMicrosOf } from './edge-static/cpu-time.ts';
import { startCaddy, startStaticNginx } from './edge-static/peers.ts';
import { findMissing, requirePrograms } from './edge-static/programs.ts';
import { reportCosts } from './edge-static/report-costs.ts';
import { FILES, HOST, prepareSite } from './edge-static/site.ts';
import { startEdge, type Peer } from './edge-static/servers.ts';
import { scratchFolder } from './measuring/interruption.ts';
import { roundsOf } from './measuring/rounds-of.ts';

const ROUNDS = roundsOf(15);
const WARM_UP_ROUNDS = 2;
const PEERS = { nginx: startStaticNginx, caddy: startCaddy };
const BARS = { nginx: 1.6, caddy: 0.25 };
const PACKAGES = { nginx: 'nginx-light', caddy: 'caddy' };

await requirePrograms({ wrk: 'wrk', taskset: 'util-linux' });
const missing = await findMissing(PACKAGES);
if (availableParallelism() < 2) console.log('With one core, the load takes time from the servers; ratios still hold.');
const folder = scratchFolder('edge');
const peers: Peer[] = [];
try {
  peers.push(await startEdge(folder, prepareSite(folder)));
  for (const [name, start] of Object.entries(PEERS)) if (!missing.includes(name)) peers.push(await start(folder));
  for (const file of Object.keys(FILES)) await compare(file);
} finally {
  await Promise.all(peers.map((peer) => peer.stop()));
}

async function compare(file: string): Promise<void> {
  const rounds: Record<string, number>[] = [];
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const costs: Record<string, number> = {};
    for (const peer of peers) costs[peer.name] = await measure(peer, file);
    if (round >= 0) rounds.push(costs);
  }
  reportCosts({ path: file, rounds, packages: PACKAGES, missing, atMost: BARS });
}

/** Microseconds of processor time per request. */
async function measure(peer: Peer, file: string): Promise<number> {
  const before = cpuMicrosOf(peer.pids());
  const { answers } = await sendLoad({ port: peer.port, path: file, host: HOST });
  return (cpuMicrosOf(peer.pids()) - before) / answers;
}
