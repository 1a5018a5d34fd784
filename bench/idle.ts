/**
 * What does the platform cost when nobody uses it, and how long does `npm start` take to a healthy
 * answer? Memory is the proportional set size of every process after a minute at rest, the median of several looks:
 * a few times a minute something is written down, on a connection that is soon given up again.
 * Arguments: [seconds at rest] [starts].
 */
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort, startPlatform, until, type Platform } from '../e2e/platform.ts';
import { setUp } from '../e2e/set-up.ts';
import { scratchFolder } from './measuring/interruption.ts';
import { memoryOf, memoryOfTree } from './measuring/memory.ts';
import { median } from './measuring/median.ts';
import { report } from './measuring/report.ts';
import { roundsOf } from './measuring/rounds-of.ts';
import { wordsGiven } from './measuring/words-given.ts';

const MAX_MEMORY_MB = 350;
const MAX_STORE_MB = 40;
const MAX_START_SECONDS = 4;
const LOOKS = 9;
const BETWEEN_LOOKS_MS = 1000;

/** As for whoever installed it: the set-up has compiled the server, and what earlier starts kept is there later. */
const AS_INSTALLED = { NODE_COMPILE_CACHE: scratchFolder('compiled') };

const [restSeconds = 60, starts = 1 + roundsOf(6)] = wordsGiven().map(Number);
await setUp(AS_INSTALLED.NODE_COMPILE_CACHE);
const home = scratchFolder('idle');
const first = await timeStart();
const later: number[] = [];
for (let start = 1; start < starts; start++) later.push(await timeStart());
const memory = await measureMemory();
tell({ first, later: median(later), ...memory });

/** Seconds from `npm start` to the first healthy answer. */
async function timeStart(): Promise<number> {
  const port = await findFreePort();
  const startedAt = performance.now();
  const starting = startPlatform({ argv: ['npm', 'start'], home, port, env: AS_INSTALLED });
  await until('it answers', () => isHealthy(port));
  const seconds = (performance.now() - startedAt) / 1000;
  await (await starting)[Symbol.asyncDispose]();
  return seconds;
}

async function isHealthy(port: number): Promise<boolean> {
  const response = await fetch(`http://localhost:${port}/api/health`).catch(() => null);
  return response?.status === 200;
}

async function measureMemory() {
  await using platform = await startPlatform({ argv: ['npm', 'start'], home, env: AS_INSTALLED });
  await delay(restSeconds * 1000);
  const looks: ReturnType<typeof memoryByRole>[] = [];
  for (let look = 0; look < LOOKS; look++) {
    looks.push(memoryByRole(platform));
    await delay(BETWEEN_LOOKS_MS);
  }
  const lines = looks[0]!.map(({ role }, at) => ({ role, mb: median(looks.map((look) => look[at]!.mb)) }));
  return { lines, storeMb: lines.at(-1)!.mb, npmMb: npmMemory(platform) };
}

/** The store and its connections count as one. */
function memoryByRole(platform: Platform): { role: string; mb: number }[] {
  const { store = [], ...roles } = platform.pids();
  const each = Object.entries(roles).flatMap(([role, pids]) => pids.map((pid) => ({ role, mb: memoryOf(pid) })));
  return [...each, { role: 'store', mb: sum(store.map(memoryOfTree)) }];
}

/** npm waits beside what it started; it is no process of the platform's, so it is shown apart. */
function npmMemory(platform: Platform): number {
  const { supervisorPid: npm } = platform;
  return platform.pids().supervisor?.includes(npm) ? 0 : memoryOf(npm);
}

interface Measured {
  first: number;
  later: number;
  lines: { role: string; mb: number }[];
  storeMb: number;
  npmMb: number;
}

function tell({ first, later, lines, storeMb, npmMb }: Measured): void {
  for (const { role, mb } of lines) console.log(`${role.padEnd(12)}${mb.toFixed(1).padStart(7)} MB`);
  console.log(`npm beside  ${npmMb.toFixed(1).padStart(7)} MB`);
  const total = sum(lines.map((line) => line.mb));
  report({ name: 'memory of all at rest', unit: 'MB', ours: total, bar: { of: 'ours', atMost: MAX_MEMORY_MB } });
  report({ name: 'memory of the store', unit: 'MB', ours: storeMb, bar: { of: 'ours', atMost: MAX_STORE_MB } });
  const bar = { of: 'ours', atMost: MAX_START_SECONDS } as const;
  report({ name: 'first npm start to a healthy answer', unit: 's', ours: first, bar });
  report({ name: 'later npm start to a healthy answer', unit: 's', ours: later, bar });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
