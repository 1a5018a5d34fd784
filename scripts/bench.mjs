import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { asCommand } from './as-command.mjs';
import { findNode, SetUpError } from './find-node.mjs';
import { root, runProgram, say } from './run-program.mjs';
import { setUp } from './setup.mjs';

const folder = join(root, 'bench');
const page = join(root, 'docs', 'reference', 'benchmarks.md');
/** Whoever ends one of them ends the run. */
const INTERRUPTED = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => 128 + constants.signals[signal]);
/** With the first there are three, which have a median. */
const MORE_TRIES = 2;

const usage = `npm run bench -- [name] [options]

Measures every promise about speed and size, which takes about an hour, and writes docs/reference/benchmarks.md;
with a name or an option that page stays as it is. The names are:
${namesOfAll().join(', ')}.

  --rounds=<number>  fewer rounds, for a quick look
  --profile          with api, deploy, edge-static or edge-proxy: where the platform spent its processor time
  what else is said goes to the program; the head of bench/<name>.ts tells what it understands`;

/**
 * `npm run bench` runs every program in bench/, shows one table at the end and writes it into the page.
 * `npm run bench -- idle` runs one; further arguments go to it. `npm run bench -- --rounds=3` takes a quick look at
 * all.
 */
await asCommand(async (args) => {
  await setUp();
  const [only, options] = args[0]?.startsWith('-') ? [undefined, args] : [args[0], args.slice(1)];
  const names = namesOfAll();
  if (only && !names.includes(only))
    throw new SetUpError(`There is no bench/${only}.ts.`, `There are ${names.join(', ')}.`);
  const scratch = mkdtempSync(join(tmpdir(), 'lilac-bench-lines-'));
  try {
    return await runAll(only ? [only] : names, { options, scratch, writesPage: args.length === 0 });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}, usage);

function namesOfAll() {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length));
}

/**
 * One that falls short keeps no other from its turn. Where all are run it gets two more when they are done, and the
 * median of its tries counts: what else a machine does for a minute is no fault of ours, and luck is no merit.
 */
async function runAll(names, { options, scratch, writesPage }) {
  const told = [];
  const short = [];
  for (const name of names) {
    const { exitCode, lines } = await runOne(name, { options, scratch });
    if (INTERRUPTED.includes(exitCode) || names.length === 1) return exitCode;
    told.push(...lines);
    if (lines.some(isShort)) short.push(name);
  }
  for (const name of short.flatMap((name) => Array.from({ length: MORE_TRIES }, () => name))) {
    say('once more, since it fell short:');
    const { exitCode, lines } = await runOne(name, { options, scratch });
    if (INTERRUPTED.includes(exitCode)) return exitCode;
    told.push(...lines);
  }
  const file = join(scratch, 'lines');
  writeFileSync(file, told.map((line) => JSON.stringify(line)).join('\n'));
  const telling = [findNode(), join(folder, 'measuring', 'tell-results.ts'), file];
  return runProgram(writesPage ? [...telling, page] : telling);
}

async function runOne(name, { options, scratch }) {
  say(`bench/${name}`);
  const file = join(scratch, name);
  writeFileSync(file, '');
  const env = { ...process.env, BENCH_LINES: file };
  const exitCode = await runProgram([findNode(), join(folder, `${name}.ts`), ...options], { env });
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  if (exitCode !== 0 && !lines.some(isBad)) lines.push(brokenOff(name, exitCode));
  return { exitCode, lines };
}

function isShort({ verdict }) {
  return verdict === 'short';
}

function isBad({ verdict }) {
  return verdict === 'short' || verdict === 'not measured';
}

/** For one that had no time to tell: it was killed, or could not even be loaded. */
function brokenOff(bench, exitCode) {
  const cells = { ours: '-', theirs: '-', ratio: '-', bar: '-' };
  const advice = `it broke off with exit code ${exitCode}; see why with npm run bench -- ${bench}`;
  return { bench, name: 'the rest', ...cells, verdict: 'not measured', value: null, mayNever: false, advice };
}
