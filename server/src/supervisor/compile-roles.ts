/**
 * Loads what the platform's processes load, and starts none of it: Node keeps what it has compiled. The set-up runs
 * this, so that the first start is as quick as any other.
 */
import module from 'node:module';
import { dirname, join } from 'node:path';
import { run } from '../lib/exec.ts';
import { V8_FLAGS } from './launch-role.ts';
import { roleNames } from './role-messages.ts';
import './run-server.ts';

const kept = module.getCompileCacheDir();
if (kept === undefined) throw new Error('Nothing would be kept: name a folder in NODE_COMPILE_CACHE.');

const folder = join(import.meta.dirname, '..', 'roles');
const loading = [...roleNames, 'run-role']
  .map((name) => `import ${JSON.stringify(join(folder, `${name}.ts`))};`)
  .join('\n');
// Each set of flags has compiled code of its own, below the same folder.
const { exitCode, stderr } = await run([process.execPath, ...V8_FLAGS, '--input-type=module', '--eval', loading], {
  env: { NODE_COMPILE_CACHE: dirname(kept) },
  timeoutMs: 300_000,
});
process.stderr.write(stderr);
process.exitCode = exitCode ?? 1;
