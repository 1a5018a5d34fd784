/**
 * What does a static file cost at the edge? CPU time per request of a 1 KB and a 64 KB file, against nginx
 * and Caddy, which are set up to do the same job: sites by host name, addresses without `.html`, compressed
 * forms where they are, a 404 page. The requests are a browser's. Each server has one core to itself, the
 * load comes from another; short rounds take turns, so that whatever else the machine does falls on all
 * alike. The edge is the real role as the supervisor starts it, with 100,000 routes in its table, read from
 * its snapshot: the store is not even there.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { sendLoad } from './edge-static/load.ts';
import { cpuMicrosOf } from './edge-static/cpu-time.ts';
import { requirePrograms } from './edge-static/programs.ts';
import { FILES, HOST, prepareSite } from './edge-static/site.ts';
import { startCaddy, startEdge, startNginx, type Peer } from './edge-static/servers.ts';

const ROUNDS = 15;
const WARM_UP_ROUNDS = 2;
const BARS = { nginx: 1.6, caddy: 0.25 } as const;

await requirePrograms({ nginx: 'nginx-light', caddy: 'caddy', wrk: 'wrk', taskset: 'util-linux' });
if (availableParallelism() < 2) console.log('With one core, the load takes time from the servers; ratios still hold.');
const folder = mkdtempSync(join(tmpdir(), 'lilac-bench-edge-'));
const peers: Peer[] = [];
try {
  await prepareSite(folder);
  for (const startPeer of [startEdge, startNginx, startCaddy]) peers.push(await startPeer(folder));
  let isShort = false;
  for (const file of Object.keys(FILES)) isShort = (await compare(file)) || isShort;
  process.exitCode = isShort ? 1 : 0;
} finally {
  await Promise.all(peers.map((peer) => peer.stop()));
  rmSync(folder, { recursive: true, force: true });
}

/** True when a bar is missed. */
async function compare(file: string): Promise<boolean> {
  const rounds: Record<string, number>[] = [];
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const costs: Record<string, number> = {};
    for (const peer of peers) costs[peer.name] = await measure(peer, file);
    if (round >= 0) rounds.push(costs);
  }
  const cost = (name: string) => median(rounds.map((costs) => costs[name]!));
  let isShort = false;
  for (const [name, bar] of Object.entries(BARS)) {
    const ratio = median(rounds.map((costs) => costs['edge']! / costs[name]!));
    isShort ||= ratio > bar;
    console.log(
      `${file} against ${name}: ours ${cost('edge').toFixed(1)} µs, theirs ${cost(name).toFixed(1)} µs, ` +
        `ratio ${ratio.toFixed(2)}, bar ${bar}, ${ratio > bar ? 'short' : 'ok'}`,
    );
  }
  return isShort;
}

/** Microseconds of processor time per request. */
async function measure(peer: Peer, file: string): Promise<number> {
  const before = cpuMicrosOf(peer.pids());
  const { answers } = await sendLoad({ port: peer.port, path: file, host: HOST });
  return (cpuMicrosOf(peer.pids()) - before) / answers;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
