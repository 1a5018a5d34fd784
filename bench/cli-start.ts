import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** How long `lilac --version` takes against a Node that does nothing: each started anew, one after another. */
const root = join(import.meta.dirname, '..');
const launcher = join(root, 'cli', 'bin', 'lilac.mjs');
const RUNS = 15;
const LIMIT_MS = 150;
const systemNode = '/usr/bin/node';

const bare = measure(process.execPath, '-e', '0');
console.log(`node -e 0                     ${bare}`);
const cold = measure(process.execPath, launcher, '--version');
console.log(`lilac --version               ${cold}   limit ${LIMIT_MS} ms`);
if (existsSync(systemNode)) console.log(`the same on ${systemNode}   ${measure(systemNode, launcher, '--version')}`);
console.log(`lilac --help                  ${measure(process.execPath, launcher, '--help')}`);
console.log(`lilac apps --help             ${measure(process.execPath, launcher, 'apps', 'list', '--help')}`);
process.exitCode = cold.medianMs <= LIMIT_MS ? 0 : 1;

function measure(program: string, ...argv: string[]) {
  const times = Array.from({ length: RUNS }, () => {
    const startedMs = performance.now();
    spawnSync(program, argv);
    return performance.now() - startedMs;
  }).toSorted((a, b) => a - b);
  const medianMs = times[RUNS >> 1]!;
  return { medianMs, toString: () => `median ${medianMs.toFixed(0)} ms, best ${times[0]!.toFixed(0)} ms` };
}
