import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { collectTypes } from './collect-types.ts';
import { endpointTable } from './endpoint-table.ts';

const sdk = join(import.meta.dirname, '..');
const dist = join(sdk, 'dist');
const emitted = join(dist, '.types');

/** What is published: one file of JavaScript that needs nothing else, and its types without zod's. */
rmSync(dist, { recursive: true, force: true });
const bundle = await rolldown({
  input: join(sdk, 'src', 'lilac.ts'),
  platform: 'neutral',
  plugins: [endpointTable()],
  transform: { target: 'es2022' },
});
await bundle.write({ file: join(dist, 'lilac.js'), format: 'esm' });
await bundle.close();
const tsc = join(sdk, '..', 'node_modules', 'typescript', 'bin', 'tsc');
execFileSync(process.execPath, [tsc, '-p', join(sdk, 'build')], { stdio: 'inherit' });
collectTypes({ from: emitted, to: join(dist, 'types') });
rmSync(emitted, { recursive: true });
copyFileSync(join(sdk, '..', 'LICENSE'), join(dist, 'LICENSE'));
