import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { asCommand } from './as-command.mjs';
import { compiledFolder } from './compile-server.mjs';
import { findNode, isNewEnough } from './find-node.mjs';
import { root, runProgram } from './run-program.mjs';
import { setUp } from './setup.mjs';

const program = join(root, 'server', 'src', 'main.ts');

/** Sets up what is missing, then runs the platform: in this process where Node is new enough, else on the one npm brought. */
await asCommand(async (args) => {
  await setUp();
  // Compiled code is kept between starts, here and in the processes started from here.
  process.env.NODE_COMPILE_CACHE = compiledFolder();
  const argv = [program, 'server', ...args];
  if (!isNewEnough()) return runProgram([findNode(), ...argv], { tethered: true });
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  process.argv = [process.execPath, ...argv];
  await import(pathToFileURL(program).href);
  return process.exitCode;
});
