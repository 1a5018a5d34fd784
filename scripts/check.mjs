import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { asCommand } from './as-command.mjs';
import { findNode } from './find-node.mjs';
import { installPackages } from './install-packages.mjs';
import { root, runProgram, say } from './run-program.mjs';
import { withSetUpLock } from './set-up-lock.mjs';

const tool = (...path) => join(root, 'node_modules', ...path);

const checks = [
  { name: 'types', argv: [tool('typescript', 'bin', 'tsc'), '--noEmit', '-p', '.'], fix: 'correct the types' },
  {
    name: 'types of the console',
    argv: [tool('typescript', 'bin', 'tsc'), '--noEmit', '-p', 'console'],
    fix: 'correct the types',
    needs: join(root, 'console', 'tsconfig.json'),
  },
  { name: 'lint', argv: [tool('oxlint', 'bin', 'oxlint'), '--type-aware', '--deny-warnings'], fix: 'npm run fix' },
  { name: 'format', argv: [tool('oxfmt', 'bin', 'oxfmt'), '--check'], fix: 'npm run fix' },
  { name: 'generated files', argv: [join(root, 'scripts', 'generate.ts'), '--check'], fix: 'npm run generate' },
];

/** Everything that must hold besides the tests. All of it runs, so that one round shows all there is to mend. */
await asCommand(async () => {
  await withSetUpLock(installPackages);
  const failed = [];
  for (const { name, argv, needs, ...check } of checks) {
    if (needs && !existsSync(needs)) continue;
    say(`${name} …`);
    if ((await runProgram([findNode(), ...argv], { quiet: true })) !== 0) failed.push({ name, ...check });
  }
  for (const { name, fix } of failed) say(`\nFailed: ${name}. To mend it: ${fix}.`);
  if (failed.length === 0) say('All is well.');
  return failed.length === 0 ? 0 : 1;
});
