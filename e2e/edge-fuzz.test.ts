import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fuzzMs, fuzzRounds } from '../server/src/testing/fuzz-settings.ts';
import { attacks, type Attack } from './edge-attacks.ts';
import type { Reply } from './edge-connections.ts';
import { openEdgeWorld, type EdgeWorld } from './edge-target.ts';
import { until } from './platform.ts';
import { openMemoryGauge, type MemoryGauge } from './process-memory.ts';
import { holdForEver } from './unfinished-clients.ts';

/** A real edge, in its own process, and everything that strangers can send to it. */
let world: EdgeWorld;
let gauge: MemoryGauge;
let edge: number;
let openAtFirst: number;
let statusesAtFirst: number[];
/** Connections to the api and to instances that are kept for the next request, and of our own questions. */
const SPARE = 20;
beforeAll(async () => {
  world = await openEdgeWorld();
  [edge = 0] = world.platform.pids()['edge'] ?? [];
  gauge = await openMemoryGauge(world.platform, edge);
  statusesAtFirst = await world.statuses();
  openAtFirst = descriptors();
});
afterAll(async () => {
  gauge?.close();
  await world?.[Symbol.asyncDispose]();
});

const descriptors = () => readdirSync(`/proc/${edge}/fd`).length;
const residentMib = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${edge}/status`, 'utf8'))![1]) / 1024;

/**
 * The first makes it load and keep ready what is needed for such a thing; what more it holds after the others is kept
 * for nothing.
 */
const ROUNDS = 3;
/** A round is hundreds of requests: 10 KiB kept of each would be more. */
const MOST_KEPT_MIB = 4;
/**
 * What is not the heap's: buffers, streams and sessions of TLS and HTTP/2, and what the allocator does not give back.
 */
const MOST_RESIDENT_MIB = 30;

const ENDLESS_CLIENTS = 60;
/** A head and a handshake have 15 seconds at most; some more for a machine that does other things too. */
const LONGEST_HEAD_MS = 45_000;

/** So many answers at least there must be to a round: who gets none is told nothing by their statuses. */
const FEWEST_ANSWERS: Record<string, number> = {
  'requests that are nearly right': 150,
  'the same by https': 40,
  'frames of HTTP/2 that are nearly right': 20,
};

describe('an edge is as it was before', () => {
  it('and had something to lose', () => {
    expect(statusesAtFirst).toEqual([200, 200, 200, 401, 200]);
  });

  it.each(Object.entries(attacks))('%s', async (name, attack) => {
    const share = 1 / Object.keys(attacks).length;
    let before = { kept: 0, resident: 0 };
    let rounds = 0;
    let served = 0;
    for (const seed of fuzzRounds(ROUNDS, share)) {
      rounds++;
      const { replies, visits, servedMeanwhile } = await attackAndVisit(attack, seed);
      for (const statuses of visits) expect({ seed, statuses }).toEqual({ seed, statuses: statusesAtFirst });
      served += servedMeanwhile;
      for (const reply of replies) expectRight(reply, { name, seed });
      const answers = replies.flatMap(({ statuses }) => statuses).filter((status) => status !== null);
      expect(answers.length).toBeGreaterThanOrEqual(FEWEST_ANSWERS[name] ?? 0);
      expect({ seed, statuses: await world.statuses() }).toEqual({ seed, statuses: statusesAtFirst });
      await until('all that was opened is closed', () => descriptors() <= openAtFirst + SPARE);
      if (rounds === 1) before = { kept: await gauge.keptMib(), resident: residentMib() };
    }
    expect(served).toBeGreaterThan(0);
    expect(world.platform.pids()['edge']).toEqual([edge]);
    const after = { kept: await gauge.keptMib(), resident: residentMib() };
    const grown = { kept: after.kept - before.kept, resident: after.resident - before.resident };
    if (fuzzMs !== null || process.env['LILAC_FUZZ_TOLD'])
      console.log(
        `${name}: ${rounds} rounds, ${before.kept.toFixed(1)} → ${after.kept.toFixed(1)} MiB kept, ` +
          `${before.resident.toFixed()} → ${after.resident.toFixed()} MiB resident`,
      );
    expect(grown.kept).toBeLessThan(MOST_KEPT_MIB);
    expect(grown.resident).toBeLessThan(MOST_RESIDENT_MIB);
  });

  it('and sends away who never finishes a head or a handshake, however it drips', async () => {
    const before = descriptors();
    using clients = holdForEver(world.target, ENDLESS_CLIENTS);
    await until('they are all there', () => descriptors() >= before + ENDLESS_CLIENTS - SPARE);
    expect({ statuses: await world.statuses(), open: clients.open() }).toEqual({
      statuses: statusesAtFirst,
      open: ENDLESS_CLIENTS,
    });
    const dripping = setInterval(() => clients.drip(), 1000);
    try {
      await until('the last of them is sent away', () => clients.open() === 0, LONGEST_HEAD_MS);
    } finally {
      clearInterval(dripping);
    }
    await until('what they had is free again', () => descriptors() <= openAtFirst + SPARE);
    expect(await world.statuses()).toEqual(statusesAtFirst);
  });

  it('and has said nothing of a fault of its own', () => {
    const faults = world.platform
      .output()
      .split('\n')
      .filter((line) => /"level":(?:50|60|"error"|"fatal")|uncaught/i.test(line))
      // Of our own looking into it.
      .filter((line) => !/"msg":"(?:Debugger |For help, see: )/.test(line));
    expect(faults).toEqual([]);
  });
});

interface Attacked {
  replies: Reply[];
  /** What others were answered who came meanwhile, time by time. */
  visits: number[][];
  /** How many of these had their answers before it was over. */
  servedMeanwhile: number;
}

/** One that is over before anybody else was served is made again. */
async function attackAndVisit(attack: Attack, seed: number): Promise<Attacked> {
  const all: Attacked = { replies: [], visits: [], servedMeanwhile: 0 };
  for (let attempt = 0; attempt < MOST_ATTEMPTS && all.servedMeanwhile === 0; attempt++) {
    const { replies, visits, servedMeanwhile } = await attackOnce(attack, seed);
    all.replies.push(...replies);
    all.visits.push(...visits);
    all.servedMeanwhile += servedMeanwhile;
  }
  return all;
}

/** Others come for as long as it lasts. */
async function attackOnce(attack: Attack, seed: number): Promise<Attacked> {
  const lasting = new AbortController();
  const served = Promise.withResolvers<void>();
  const visits: number[][] = [];
  let servedMeanwhile = 0;
  const visitOn = async () => {
    while (!lasting.signal.aborted) {
      visits.push(await world.statuses());
      if (!lasting.signal.aborted) servedMeanwhile++;
      served.resolve();
    }
  };
  const attacking = attack(world.target, seed, served.promise).finally(() => lasting.abort());
  const [replies] = await Promise.all([attacking, visitOn()]);
  return { replies, visits, servedMeanwhile };
}
const MOST_ATTEMPTS = 5;

/** Every answer on the connection, as far as there are any, blames the client. */
function expectRight({ sent, statuses }: Reply, about: object): void {
  const wrong = statuses.filter((status) => status !== null && !(status >= 100 && status < 500));
  expect({ ...about, wrong, sent: wrong.length === 0 ? '' : sent.toString('latin1') }).toEqual({
    ...about,
    wrong: [],
    sent: '',
  });
}
