/**
 * Loads what the processes of a built server load, and starts none of it: Node keeps what it compiles on the way
 * (`NODE_COMPILE_CACHE`). So a first start is as quick as later ones. Argument: the folder of the build.
 */
import { readdirSync } from 'node:fs';
import module from 'node:module';
import { join, resolve } from 'node:path';
import { run } from '../src/lib/exec.ts';
import { flagsOf } from '../src/supervisor/launch-role.ts';
import { roleNames } from '../src/supervisor/role-messages.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder of a build.');
const { NODE_COMPILE_CACHE } = process.env;
if (!NODE_COMPILE_CACHE || module.getCompileCacheDir() === undefined)
  throw new Error('Nothing would be kept: name a folder in NODE_COMPILE_CACHE.');

await load('run-server', []);
for (const role of roleNames) await load(role, flagsOf(role));

/** In a process of its own: what is compiled with other flags of V8 is kept apart from it. */
async function load(part: string, flags: readonly string[]): Promise<void> {
  const script = [fileOf('run-role'), fileOf(part)].map((file) => `import ${JSON.stringify(file)};`).join('\n');
  // Nothing that a part does while it is loaded keeps the process.
  const program = ['--input-type=module', '--eval', `${script}\nprocess.exit(0);`];
  const { exitCode, stderr } = await run([process.execPath, ...flags, ...program], {
    env: { NODE_COMPILE_CACHE },
    timeoutMs: 120_000,
  });
  if (exitCode !== 0) throw new Error(`${part} cannot be loaded: ${stderr}`);
}

/** Parts have a hash of their content behind their names. */
function fileOf(part: string): string {
  const name = readdirSync(folder!).find((file) => new RegExp(`^${part}-[\\w-]{8}\\.mjs$`).test(file));
  if (name === undefined) throw new Error(`There is no ${part} in ${folder}.`);
  return resolve(join(folder!, name));
}
