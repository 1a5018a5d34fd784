import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asCommand } from './as-command.mjs';
import { SetUpError } from './find-node.mjs';
import { root } from './run-program.mjs';
import { withoutDevelopment } from './sbom-packages.mjs';

const NONE_LARGER = 256 * 1024 * 1024;

/** `npm run sbom` lists every package that is installed, as CycloneDX; `-- --omit dev` only those that the platform runs with. */
await asCommand((args) => {
  const words = args.join(' ');
  if (words !== '' && words !== '--omit dev')
    throw new SetUpError(`"${words}" is not known.`, 'Say nothing, or --omit dev.');
  const argv = ['sbom', '--sbom-format', 'cyclonedx'];
  const bill = JSON.parse(execFileSync('npm', argv, { cwd: root, maxBuffer: NONE_LARGER }).toString());
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  process.stdout.write(`${JSON.stringify(words === '' ? bill : withoutDevelopment(bill, lock), null, 2)}\n`);
});
