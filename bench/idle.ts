/**
 * What does the platform cost when nobody uses it, and how long does `npm start` take to a healthy
 * answer? Memory is the proportional set size of every process after a minute at rest.
 * Arguments: [seconds at rest] [starts].
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort, startPlatform, until, type Platform } from '../e2e/platform.ts';
import { memoryOf, treeOf } from './idle/memory.ts';

const MAX_MEMORY_MB = 350;
const MAX_STORE_MB = 40;
const MAX_START_SECONDS = 4;

const [restSeconds = 60, starts = 7] = process.argv.slice(2).map(Number);
const home = mkdtempSync(join(tmpdir(), 'lilac-bench-idle-'));
try {
  const first = await timeStart();
  const later: number[] = [];
  for (let start = 1; start < starts; start++) later.push(await timeStart());
  const memory = await measureMemory();
  report({ first, later: median(later), ...memory });
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** Seconds from `npm start` to the first healthy answer. */
async function timeStart(): Promise<number> {
  const port = await findFreePort();
  const startedAt = performance.now();
  const starting = startPlatform({ argv: ['npm', 'start'], home, port });
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
  await using platform = await startPlatform({ argv: ['npm', 'start'], home });
  await delay(restSeconds * 1000);
  const { store = [], ...roles } = platform.pids();
  const lines = Object.entries(roles).flatMap(([role, pids]) => pids.map((pid) => ({ role, mb: memoryOf(pid) })));
  const storeMb = sum(store.flatMap(treeOf).map(memoryOf));
  return { lines: [...lines, { role: 'store', mb: storeMb }], storeMb, npmMb: npmMemory(platform) };
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

function report({ first, later, lines, storeMb, npmMb }: Measured): void {
  const total = sum(lines.map((line) => line.mb));
  for (const { role, mb } of lines) console.log(`${role.padEnd(12)}${mb.toFixed(1).padStart(7)} MB`);
  judge(`all at rest  ${total.toFixed(1).padStart(6)} MB`, total, MAX_MEMORY_MB, 'MB');
  judge(`the store    ${storeMb.toFixed(1).padStart(6)} MB`, storeMb, MAX_STORE_MB, 'MB');
  console.log(`npm beside   ${npmMb.toFixed(1).padStart(6)} MB`);
  judge(`first start  ${first.toFixed(2).padStart(6)} s`, first, MAX_START_SECONDS, 's');
  judge(`later starts ${later.toFixed(2).padStart(6)} s`, later, MAX_START_SECONDS, 's');
}

function judge(text: string, value: number, limit: number, unit: string): void {
  const isKept = value <= limit;
  console.log(`${text}  (at most ${limit} ${unit}: ${isKept ? 'kept' : 'BROKEN'})`);
  if (!isKept) process.exitCode = 1;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
