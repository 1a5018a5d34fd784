/**
 * What does a request for a server cost at the edge? CPU time per request with answers of 200 bytes and of
 * 64 KB, against nginx, HAProxy and Caddy as reverse proxies by their defaults (and nginx as who serves large
 * answers would set it), and how much longer a client
 * waits at half the load that the edge can take: of a hundred requests, the slowest. Whatever else runs on
 * the proxy's core shows in that; what nginx adds in turn tells how much that is. The requests are a browser's.
 * Each proxy has one core to itself; the load and the application share another; short rounds take turns, so
 * that whatever else the machine does falls on all alike. The edge is the real role as the supervisor starts
 * it, with 100,000 environments in its table, beside the store it follows; its gate, its counters and its limits are
 * what they always are.
 */
import { availableParallelism } from 'node:os';
import { cpuMicrosOf } from './edge-static/cpu-time.ts';
import { sendLoad } from './edge-static/load.ts';
import { findMissing, requirePrograms } from './edge-static/programs.ts';
import { reportCosts } from './edge-static/report-costs.ts';
import { startEdge, type Peer } from './edge-static/servers.ts';
import { ANSWERS, startInstance } from './edge-proxy/instance.ts';
import { waitAtPace } from './edge-proxy/paced-load.ts';
import {
  BUFFERED_NGINX,
  startBufferedNginxProxy,
  startCaddyProxy,
  startHaproxy,
  startNginxProxy,
} from './edge-proxy/peers.ts';
import { HOST, manyRoutes } from './edge-proxy/routes.ts';
import { scratchFolder } from './measuring/interruption.ts';
import { median } from './measuring/median.ts';
import { report } from './measuring/report.ts';
import { roundsOf } from './measuring/rounds-of.ts';

const ROUNDS = roundsOf(15);
const PACED_ROUNDS = roundsOf(9);
const WARM_UP_ROUNDS = 2;
/** The most that we may cost, as a share of what they do. Some are shown without a bar. */
const BARS: Record<string, Record<string, number | undefined>> = {
  '/200b': { nginx: 1.8, caddy: 1 / 3 },
  '/64k': { nginx: 1 },
};
const PACKAGES = { nginx: 'nginx-light', haproxy: 'haproxy', caddy: 'caddy' };
/** Which package a peer is in. */
const PEERS_IN = { ...PACKAGES, [BUFFERED_NGINX]: PACKAGES.nginx };
const PEERS = {
  nginx: startNginxProxy,
  [BUFFERED_NGINX]: startBufferedNginxProxy,
  haproxy: startHaproxy,
  caddy: startCaddyProxy,
};
const ADDED_MS_BAR = 2;

// The application that they all lead to is an nginx, too.
await requirePrograms({ nginx: PACKAGES.nginx, wrk: 'wrk', taskset: 'util-linux' });
const missing = await findMissing(PACKAGES);
if (availableParallelism() < 2) console.log('With one core, the load takes time from the proxies; ratios still hold.');
const folder = scratchFolder('proxy');
const started: Peer[] = [];
try {
  const instance = await startInstance(folder);
  started.push(instance);
  const edge = await startEdge(folder, manyRoutes(instance.port));
  started.push(edge);
  for (const [name, startPeer] of Object.entries(PEERS))
    if (!missing.includes(name)) started.push(await startPeer(folder, instance.port));
  const proxies = started.filter((peer) => peer !== instance);
  const rates: number[] = [];
  for (const path of Object.keys(ANSWERS)) rates.push(await compare(proxies, path));
  const nginx = proxies.find(({ name }) => name === 'nginx')!;
  await compareLatency([instance, edge, nginx], rates[0]! / 2);
} finally {
  await Promise.all(started.map((peer) => peer.stop()));
}

/** Resolves to how many requests the edge answered in a second. */
async function compare(proxies: readonly Peer[], path: string): Promise<number> {
  const rounds: Record<string, number>[] = [];
  const rates: number[] = [];
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const costs: Record<string, number> = {};
    for (const peer of proxies) {
      const { micros, answers } = await measure(peer, path);
      costs[peer.name] = micros;
      if (peer.name === 'edge' && round >= 0) rates.push(answers);
    }
    if (round >= 0) rounds.push(costs);
  }
  reportCosts({ path, rounds, packages: PEERS_IN, missing, atMost: BARS[path]! });
  return median(rates);
}

/** Microseconds of processor time per request. */
async function measure(peer: Peer, path: string): Promise<{ micros: number; answers: number }> {
  const before = cpuMicrosOf(peer.pids());
  const { answers } = await sendLoad({ port: peer.port, path, host: HOST });
  return { micros: (cpuMicrosOf(peer.pids()) - before) / answers, answers };
}

async function compareLatency(peers: readonly Peer[], ratePerSecond: number): Promise<void> {
  const p99s: Record<string, number[]> = {};
  const rates: number[] = [];
  for (let turn = -WARM_UP_ROUNDS; turn < PACED_ROUNDS; turn++) {
    for (const { name, port } of peers) {
      const turned = await waitAtPace({ port, path: Object.keys(ANSWERS)[0]!, host: HOST, ratePerSecond, folder });
      if (turn < 0) continue;
      (p99s[name] ??= []).push(turned.p99);
      if (name === 'edge') rates.push(turned.ratePerSecond);
    }
  }
  const direct = p99s['instance']!;
  const added = (name: string) => median(p99s[name]!.map((ms, turn) => ms - direct[turn]!));
  console.log(
    `at ${Math.round(median(rates))} requests a second nginx adds ${added('nginx').toFixed(2)} ms to the p99`,
  );
  report({
    name: 'p99 at half the load, against no proxy',
    unit: 'ms',
    ours: median(p99s['edge']!),
    theirs: median(direct),
    more: added('edge'),
    bar: { of: 'more', atMost: ADDED_MS_BAR },
  });
}
