import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { median } from './measuring/median.ts';
import { report } from './measuring/report.ts';
import { roundsOf } from './measuring/rounds-of.ts';

/** How long `lilac --version` takes against a Node that does nothing: each started anew, one after another. */
const launcher = join(import.meta.dirname, '..', 'cli', 'bin', 'lilac.mjs');
const RUNS = roundsOf(15);
const LIMIT_MS = 150;
const systemNode = '/usr/bin/node';

const commands = {
  'node -e 0': [process.execPath, '-e', '0'],
  'lilac --version': [process.execPath, launcher, '--version'],
  ...(existsSync(systemNode) && { [`the same on ${systemNode}`]: [systemNode, launcher, '--version'] }),
  'lilac --help': [process.execPath, launcher, '--help'],
  'lilac apps list --help': [process.execPath, launcher, 'apps', 'list', '--help'],
};
const times = new Map<string, number[]>(Object.keys(commands).map((what) => [what, []]));
for (let run = 0; run < RUNS; run++) {
  // Whoever interrupts it is heard here.
  await turn();
  for (const [what, argv] of Object.entries(commands)) times.get(what)!.push(timeOf(argv));
}
for (const [what, all] of times) {
  console.log(`${what.padEnd(28)} median ${median(all).toFixed(0)} ms, best ${Math.min(...all).toFixed(0)} ms`);
}
report({
  name: 'lilac --version, against a Node that does nothing',
  unit: 'ms',
  ours: median(times.get('lilac --version')!),
  theirs: median(times.get('node -e 0')!),
  bar: { of: 'ours', atMost: LIMIT_MS },
});

function timeOf([program = '', ...argv]: readonly string[]): number {
  const startedMs = performance.now();
  const { status, stderr } = spawnSync(program, argv);
  const tookMs = performance.now() - startedMs;
  if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}: ${String(stderr)}`);
  return tookMs;
}
