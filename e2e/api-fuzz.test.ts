import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openContractTarget, type ContractTarget } from '../fuzz/contract-target.ts';
import { findSchemathesis, sendByContract } from '../fuzz/schemathesis.ts';
import { until, type Platform } from './platform.ts';
import { openMemoryGauge, type MemoryGauge } from './process-memory.ts';

/** The short form of `fuzz/by-contract.ts`: a few requests to each endpoint, the same every time. */
const program = findSchemathesis();
if (!program) console.log('Skipped: schemathesis is not on this machine; npm test installs it.');

const FEW = ['--max-examples', '2'];
/** It takes less than a minute alone. What it waits for without end is to be left out of it by name. */
const PATIENCE_MS = 170_000;

/** Of all that it is let at, so many endpoints it must reach, and of so many see what they do when all is well. */
const FEWEST_REACHED = 125;
const FEWEST_DONE = { key: 50, owner: 65 };

const folder = mkdtempSync(join(tmpdir(), 'lilac-api-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!program)('what schemathesis makes of the OpenAPI document', () => {
  let target: ContractTarget;
  let processes: object;
  let watched: Watched[] = [];
  beforeAll(async () => {
    target = await openContractTarget();
    processes = target.platform.pids();
    watched = await watch(target.platform);
  });
  afterAll(async () => {
    for (const { gauge } of watched) gauge.close();
    await target?.[Symbol.asyncDispose]();
  });
  const sent: number[] = [];

  it.each(['key', 'owner'] as const)(
    'is answered as the document says, without a 5xx, when the %s sends it',
    async (who) => {
      const { platform, ids } = target;
      const { url } = platform;
      const credential = who === 'key' ? target.key : await target.signIn();
      const report = join(folder, `${who}.ndjson`);
      const { exitCode, output } = await sendByContract({
        program: program!,
        url,
        credential,
        ids,
        seed: 1,
        options: [...FEW, '--report', 'ndjson', '--report-ndjson-path', report],
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      expect({ exitCode, output: exitCode === 0 ? '' : output }).toEqual({ exitCode: 0, output: '' });
      const statuses = Object.values(readStatuses(report));
      sent.push(statuses.flat().length);
      for (const each of watched) await each.look();
      expect(statuses.length).toBeGreaterThanOrEqual(FEWEST_REACHED);
      const done = statuses.filter((each) => each.some((status) => status < 300));
      expect(done.length).toBeGreaterThanOrEqual(FEWEST_DONE[who]);
      // Who has lost it on the way has tried out nothing but refusals since.
      const headers = { authorization: `Bearer ${credential}` };
      expect((await fetch(`${url}/api/config/platform`, { headers })).status).toBe(200);
    },
    180_000,
  );

  it('and no process has ended meanwhile', () => {
    expect(target.platform.pids()).toEqual(processes);
    expect(target.platform.output()).not.toMatch(/uncaught/i);
  });

  it('and none of them keeps anything of it: no descriptors, and no memory', async () => {
    // The first to send made them load and keep ready what is needed for such a thing.
    const bar = (sent[1]! * LEAK_BYTES) / 1024 ** 2;
    for (const { role, keptMib, descriptorsAtFirst, descriptors } of watched) {
      const grown = keptMib[1]! - keptMib[0]!;
      if (process.env['LILAC_FUZZ_TOLD'])
        console.log(`${role}: ${sent[1]} requests, ${grown.toFixed(1)} MiB more kept, of ${bar.toFixed(1)} at most`);
      expect({ role, grown, isLeak: grown >= bar }).toEqual({ role, grown, isLeak: false });
      await until(`${role} has closed what was opened`, () => descriptors() <= descriptorsAtFirst + SPARE, 30_000);
    }
    expect(watched.map(({ role }) => role)).toEqual(expect.arrayContaining(['api', 'worker']));
  });
});

/** Who keeps 10 KiB of every request is found out, also where other things have become less meanwhile. */
const LEAK_BYTES = 8 * 1024;
/** Connections to the store and to databases that are kept for the next request, and of our own questions. */
const SPARE = 20;

interface Watched {
  role: string;
  gauge: MemoryGauge;
  /** By how often it was looked at. */
  keptMib: number[];
  look: () => Promise<void>;
  descriptorsAtFirst: number;
  descriptors: () => number;
}

/** Every process that has to do with what is sent; of the edge another test tells. */
async function watch(platform: Platform): Promise<Watched[]> {
  const watched: Watched[] = [];
  for (const role of ['api', 'worker']) {
    for (const pid of platform.pids()[role] ?? []) watched.push(await watchOne(platform, role, pid));
  }
  return watched;
}

async function watchOne(platform: Platform, role: string, pid: number): Promise<Watched> {
  const gauge = await openMemoryGauge(platform, pid);
  const keptMib: number[] = [];
  const descriptors = () => readdirSync(`/proc/${pid}/fd`).length;
  return {
    role,
    gauge,
    keptMib,
    look: async () => void keptMib.push(await gauge.keptMib()),
    descriptorsAtFirst: descriptors(),
    descriptors,
  };
}

interface Scenario {
  recorder: { label: string; interactions?: Record<string, { response: { status_code: number } | null }> };
}

/** By endpoint: the statuses of its answers. */
function readStatuses(report: string): Record<string, number[]> {
  const statuses: Record<string, number[]> = {};
  for (const line of readFileSync(report, 'utf8').trim().split('\n')) {
    const { ScenarioFinished: scenario } = JSON.parse(line) as { ScenarioFinished?: Scenario };
    const { label, interactions = {} } = scenario?.recorder ?? { label: '' };
    for (const { response } of Object.values(interactions)) {
      if (response) (statuses[label] ??= []).push(response.status_code);
    }
  }
  return statuses;
}
