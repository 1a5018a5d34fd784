/**
 * What does a request for a server cost at the edge? CPU time per request with answers of 200 bytes and of
 * 64 KB, against nginx, HAProxy and Caddy as reverse proxies by their defaults, and how much longer a client
 * waits at half the load that the edge can take: of a hundred requests, the slowest. Whatever else runs on
 * the proxy's core shows in that; what nginx adds in turn tells how much that is. The requests are a browser's.
 * Each proxy has one core to itself; the load and the application share another; short rounds take turns, so
 * that whatever else the machine does falls on all alike. The edge is the real role as the supervisor starts
 * it, with 100,000 environments in its table, read from its snapshot; its gate, its counters and its limits are
 * what they always are.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuMicrosOf } from './edge-static/cpu-time.ts';
import { sendLoad } from './edge-static/load.ts';
import { requirePrograms } from './edge-static/programs.ts';
import { startEdge, type Peer } from './edge-static/servers.ts';
import { ANSWERS, startInstance } from './edge-proxy/instance.ts';
import { waitAtPace } from './edge-proxy/paced-load.ts';
import { startCaddyProxy, startHaproxy, startNginxProxy } from './edge-proxy/peers.ts';
import { HOST, writeRoutes } from './edge-proxy/routes.ts';

const ROUNDS = roundsOf(process.argv) ?? 15;
const WARM_UP_ROUNDS = 2;
/** The most that we may cost, as a share of what they do. Some are shown without a bar. */
const BARS: Record<string, Record<string, number>> = {
  '/200b': { nginx: 1.8, caddy: 1 / 3, haproxy: Infinity },
  '/64k': { nginx: 1, caddy: Infinity, haproxy: Infinity },
};
const ADDED_MS_BAR = 2;

await requirePrograms({
  nginx: 'nginx-light',
  caddy: 'caddy',
  haproxy: 'haproxy',
  wrk: 'wrk',
  taskset: 'util-linux',
});
if (availableParallelism() < 2) console.log('With one core, the load takes time from the proxies; ratios still hold.');
const folder = mkdtempSync(join(tmpdir(), 'lilac-bench-proxy-'));
const started: Peer[] = [];
try {
  const instance = await startInstance(folder);
  started.push(instance);
  await writeRoutes(folder, instance.port);
  const edge = await startEdge(folder);
  started.push(edge);
  for (const startPeer of [startNginxProxy, startHaproxy, startCaddyProxy])
    started.push(await startPeer(folder, instance.port));
  const proxies = started.filter((peer) => peer !== instance);
  let isShort = false;
  let ratePerSecond = 0;
  for (const path of Object.keys(ANSWERS)) {
    const { rates, isOver } = await compare(proxies, path);
    isShort ||= isOver;
    ratePerSecond ||= rates / 2;
  }
  const nginx = proxies.find(({ name }) => name === 'nginx')!;
  isShort = (await compareLatency([instance, edge, nginx], ratePerSecond)) || isShort;
  process.exitCode = isShort ? 1 : 0;
} finally {
  await Promise.all(started.map((peer) => peer.stop()));
  rmSync(folder, { recursive: true, force: true });
}

/** Whether a bar is missed, and how many requests the edge answered in a second. */
async function compare(proxies: readonly Peer[], path: string): Promise<{ isOver: boolean; rates: number }> {
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
  const cost = (name: string) => median(rounds.map((costs) => costs[name]!));
  let isOver = false;
  for (const [name, bar] of Object.entries(BARS[path]!)) {
    const ratio = median(rounds.map((costs) => costs['edge']! / costs[name]!));
    isOver ||= ratio > bar;
    const verdict = bar === Infinity ? 'no bar' : `bar ${bar.toFixed(2)}, ${ratio > bar ? 'short' : 'ok'}`;
    console.log(
      `${path} against ${name}: ours ${cost('edge').toFixed(1)} µs, theirs ${cost(name).toFixed(1)} µs, ` +
        `ratio ${ratio.toFixed(2)}, ${verdict}`,
    );
  }
  return { isOver, rates: median(rates) };
}

/** Microseconds of processor time per request. */
async function measure(peer: Peer, path: string): Promise<{ micros: number; answers: number }> {
  const before = cpuMicrosOf(peer.pids());
  const { answers } = await sendLoad({ port: peer.port, path, host: HOST });
  return { micros: (cpuMicrosOf(peer.pids()) - before) / answers, answers };
}

/** True when the bar is missed. */
async function compareLatency(peers: readonly Peer[], ratePerSecond: number): Promise<boolean> {
  const p99s: Record<string, number[]> = {};
  const rates: number[] = [];
  for (let turn = -WARM_UP_ROUNDS; turn < ROUNDS; turn++) {
    for (const { name, port } of peers) {
      const turned = await waitAtPace({ port, path: Object.keys(ANSWERS)[0]!, host: HOST, ratePerSecond, folder });
      if (turn < 0) continue;
      (p99s[name] ??= []).push(turned.p99);
      if (name === 'edge') rates.push(turned.ratePerSecond);
    }
  }
  const direct = p99s['instance']!;
  const added = (name: string) => median(p99s[name]!.map((ms, turn) => ms - direct[turn]!));
  const [ms, nginxMs] = [added('edge'), added('nginx')];
  const isOver = ms > ADDED_MS_BAR;
  console.log(
    `p99 at ${Math.round(median(rates))} requests a second: direct ${median(direct).toFixed(2)} ms, over that ours ` +
      `${ms.toFixed(2)} ms, nginx ${nginxMs.toFixed(2)} ms, bar ${ADDED_MS_BAR}, ${isOver ? 'short' : 'ok'}`,
  );
  return isOver;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** `--rounds=3` for a quick look. */
function roundsOf(argv: readonly string[]): number | null {
  const value = argv.find((argument) => argument.startsWith('--rounds='))?.slice('--rounds='.length);
  return value === undefined ? null : Number(value);
}
