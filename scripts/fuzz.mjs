import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { asCommand } from './as-command.mjs';
import { findNode, SetUpError } from './find-node.mjs';
import { root, runProgram, say } from './run-program.mjs';
import { setUp } from './setup.mjs';

const parts = {
  api: {
    files: ['fuzz', 'fuzz-databases', 'fuzz-hosts', 'fuzz-mcp', 'fuzz-sign-in'].map(
      (name) => `server/src/http/${name}.test.ts`,
    ),
    project: 'unit*',
    after: 'fuzz/by-contract.ts',
  },
  archives: { files: ['server/src/source/archive/fuzz.test.ts'], project: 'unit*' },
  edge: { files: ['e2e/edge-fuzz.test.ts'], project: 'e2e*' },
  logs: { files: ['server/src/modules/logs/collect/fuzz.test.ts'], project: 'unit*' },
  objects: { files: ['server/src/objects/server/fuzz.test.ts'], project: 'unit*' },
  texts: {
    files: ['build/fuzz', 'build/fuzz-redaction', 'engines/fuzz-statements'].map(
      (name) => `server/src/${name}.test.ts`,
    ),
    project: 'unit*',
  },
  webhooks: { files: ['server/src/modules/vcs/webhooks/fuzz.test.ts'], project: 'unit*' },
};

const usage = `npm run fuzz -- [parts] [options]

Lets fuzzers of the test suite go on for long: those that are named, or all, one after the other.
The parts are ${Object.keys(parts).join(', ')}.

  --minutes <number>  how long each; 5 where it is not said
  --seed <number>     does the same again; where it is not said, one is drawn and told

fuzz/README.md says what each sends and what must hold.`;

/**
 * `npm run fuzz -- edge --minutes 20 --seed 7` lets one fuzzer of the suite go on for so long; without a name all of
 * them, one after the other. The same seed does the same again.
 */
await asCommand(async (args) => {
  const { values, positionals } = readArguments(args);
  const minutes = Number(values.minutes ?? 5);
  const seed = Number(values.seed ?? randomInt(2 ** 31));
  if (!(minutes > 0) || !Number.isInteger(seed))
    throw new SetUpError(
      '--minutes and --seed are numbers.',
      'Say for example: npm run fuzz -- edge --minutes 5 --seed 7.',
    );
  const unknown = positionals.find((name) => !Object.hasOwn(parts, name));
  if (unknown) throw new SetUpError(`There is no fuzzer "${unknown}".`, `There are ${Object.keys(parts).join(', ')}.`);
  await setUp({ forTests: true });
  let worst = 0;
  for (const name of positionals.length > 0 ? positionals : Object.keys(parts)) {
    const exitCode = await fuzz(name, { minutes, seed });
    if (exitCode !== 0) say(`\nTo see it again: npm run fuzz -- ${name} --minutes ${minutes} --seed ${seed}`);
    worst = Math.max(worst, exitCode);
  }
  return worst;
}, usage);

function readArguments(args) {
  const options = { minutes: { type: 'string' }, seed: { type: 'string' } };
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new SetUpError(error.message, 'Say for example: npm run fuzz -- edge --minutes 5 --seed 7.');
  }
}

async function fuzz(name, { minutes, seed }) {
  const { files, project, after } = parts[name];
  say(`\n${name}: ${minutes} minutes from seed ${seed}`);
  const patienceMs = String(minutes * 60_000 * 2 + 600_000);
  const argv = [findNode(), join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--project', project];
  const exitCode = await runProgram([...argv, '--retry', '0', '--testTimeout', patienceMs, ...files], {
    env: { ...process.env, LILAC_FUZZ_MINUTES: String(minutes), LILAC_FUZZ_SEED: String(seed) },
  });
  if (exitCode !== 0 || !after) return exitCode;
  return runProgram([findNode(), join(root, after), '--minutes', String(minutes), '--seed', String(seed)]);
}
