import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { median } from './measuring/median.ts';
import { report } from './measuring/report.ts';
import { roundsOf } from './measuring/rounds-of.ts';

/** How long `lilac --version` takes against a Node that does nothing: each started anew, one after another. */
const launcher = join(import.meta.dirname, '..', 'cli', 'bin', 'lilac.mjs');
const RUNS = roundsOf(15);
const LIMIT_MS = 150;
const systemNode = '/usr/bin/node';

const bareMs = show('node -e 0', process.execPath, '-e', '0');
const coldMs = show('lilac --version', process.execPath, launcher, '--version');
if (existsSync(systemNode)) show(`the same on ${systemNode}`, systemNode, launcher, '--version');
show('lilac --help', process.execPath, launcher, '--help');
show('lilac apps list --help', process.execPath, launcher, 'apps', 'list', '--help');
report({
  name: 'lilac --version, against a Node that does nothing',
  unit: 'ms',
  ours: coldMs,
  theirs: bareMs,
  bar: { of: 'ours', atMost: LIMIT_MS },
});

/** Answers the median. */
function show(what: string, program: string, ...argv: string[]): number {
  const times = Array.from({ length: RUNS }, () => {
    const startedMs = performance.now();
    spawnSync(program, argv);
    return performance.now() - startedMs;
  });
  const medianMs = median(times);
  console.log(`${what.padEnd(28)} median ${medianMs.toFixed(0)} ms, best ${Math.min(...times).toFixed(0)} ms`);
  return medianMs;
}
