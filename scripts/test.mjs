import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asCommand } from './as-command.mjs';
import { findNode } from './find-node.mjs';
import { isAboutSkips, judgeFirstRun, judgeSecondRun, whoMaySkip } from './judge-tests.mjs';
import { root, runProgram, say } from './run-program.mjs';
import { setUp } from './setup.mjs';

/**
 * Sets up what is missing, then runs the tests; arguments go to vitest. With `--no-skips`, and in CI, none may be
 * skipped; with `--no-skips-but=<file>` those of that file may.
 */
await asCommand(async (given) => {
  const args = given.filter((arg) => !isAboutSkips(arg));
  const rules = { maySkip: whoMaySkip(given, process.env) };
  await setUp({ forTests: true });
  const first = await runTests(args);
  const judged = judgeFirstRun({ ...first, ...rules });
  if (first.outcome) say(`\nThe files that took longest:\n${describeLongest(first.outcome.files)}`);
  if (judged.verdict === 'good') return 0;
  if (judged.verdict === 'bad') return refuse(judged.why);
  say(`\nOnce more, whole and alone:\n${describe(judged.files)}\n`);
  const second = judgeSecondRun(judged.files, { ...(await runTests(args, judged.files)), ...rules });
  if (second.verdict === 'bad') return refuse(second.why);
  say(`\nPassed at the second attempt only. The first failed by:\n${describe(judged.files)}`);
  return 0;
});

async function runTests(args, files = []) {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-outcome-'));
  const file = join(folder, 'outcome.json');
  const again = files.map(({ path }) => path).join(',');
  const env = { ...process.env, LILAC_TEST_OUTCOME: file, ...(again && { LILAC_TEST_AGAIN: again }) };
  // Reporters named as arguments stand in the place of those of the configuration.
  const reporter = args.some((arg) => arg.startsWith('--reporter'))
    ? [`--reporter=${join(root, 'scripts', 'outcome-reporter.mjs')}`]
    : [];
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  try {
    const exitCode = await runProgram([findNode(), vitest, 'run', ...args, ...reporter], { env });
    return { exitCode, outcome: read(file) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

function describe(files) {
  return files
    .map(({ path, problems }) => [path, ...problems.map(({ name, message }) => `  ${name}: ${message}`)].join('\n'))
    .join('\n');
}

/** What to look at where the whole takes too long. */
function describeLongest(files) {
  const longest = files.toSorted((one, other) => other.ms - one.ms).slice(0, 12);
  return longest.map(({ path, ms }) => `${(ms / 1000).toFixed(0).padStart(5)} s  ${path}`).join('\n');
}

function refuse(why) {
  say(`\nThe tests have not passed. ${why}`);
  return 1;
}
