import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asCommand } from './as-command.mjs';
import { SetUpError } from './find-node.mjs';
import { root } from './run-program.mjs';
import { withoutDevelopment } from './sbom-packages.mjs';

const NONE_LARGER = 256 * 1024 * 1024;

/** By npm, which compares what is there with the lock file before it lists it. */
function listInstalled() {
  const { error, status, stdout, stderr } = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
    cwd: root,
    maxBuffer: NONE_LARGER,
    encoding: 'utf8',
  });
  if (error?.code === 'ENOENT')
    throw new SetUpError('npm is not on this machine.', 'Install Node with npm, and try again.');
  if (error) throw error;
  if (status === 0) return JSON.parse(stdout);
  throw new SetUpError(
    `npm does not list the packages: what is installed is not what package-lock.json says.\n${stderr.trim()}`,
    'Run "npm run check", which installs what is missing, or "npm ci --ignore-scripts"; and try again.',
  );
}

/**
 * `npm run sbom` lists every package that is installed, as CycloneDX; `-- --omit dev` only those that the platform runs
 * with.
 */
await asCommand((args) => {
  const words = args.join(' ');
  if (words !== '' && words !== '--omit dev')
    throw new SetUpError(`"${words}" is not known.`, 'Say nothing, or --omit dev.');
  const bill = listInstalled();
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  process.stdout.write(`${JSON.stringify(words === '' ? bill : withoutDevelopment(bill, lock), null, 2)}\n`);
});
