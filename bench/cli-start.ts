import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** How long `lilac --version` takes against a Node that does nothing: each started anew, one after another. */
const launcher = join(import.meta.dirname, '..', 'cli', 'bin', 'lilac.mjs');
const RUNS = 15;
const LIMIT_MS = 150;
const systemNode = '/usr/bin/node';

show('node -e 0', process.execPath, '-e', '0');
const coldMs = show('lilac --version', process.execPath, launcher, '--version');
if (existsSync(systemNode)) show(`the same on ${systemNode}`, systemNode, launcher, '--version');
show('lilac --help', process.execPath, launcher, '--help');
show('lilac apps list --help', process.execPath, launcher, 'apps', 'list', '--help');
console.log(`The limit of lilac --version is ${LIMIT_MS} ms.`);
process.exitCode = coldMs <= LIMIT_MS ? 0 : 1;

/** Answers the median. */
function show(what: string, program: string, ...argv: string[]): number {
  const times = Array.from({ length: RUNS }, () => {
    const startedMs = performance.now();
    spawnSync(program, argv);
    return performance.now() - startedMs;
  }).toSorted((a, b) => a - b);
  const medianMs = times[RUNS >> 1]!;
  console.log(`${what.padEnd(28)} median ${medianMs.toFixed(0)} ms, best ${times[0]!.toFixed(0)} ms`);
  return medianMs;
}
