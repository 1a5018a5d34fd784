import module from 'node:module';
import { pathToFileURL } from 'node:url';
import { findProgram, sourceProgram } from '../server/build/find-program.mjs';
import { asCommand } from './as-command.mjs';
import { compiledFolder } from './compile-server.mjs';
import { findNode, isNewEnough } from './find-node.mjs';
import { runProgram } from './run-program.mjs';
import { setUp } from './setup.mjs';

/**
 * Sets up what is missing, then runs the platform: in this process where Node is new enough, else on the one npm
 * brought.
 */
await asCommand(async (args) => {
  await setUp();
  // Compiled code is kept between starts, here and in the processes started from here; npm empties it with the rest.
  process.env.NODE_COMPILE_CACHE = compiledFolder();
  // Who changes the sources wants to see it.
  const program = args.includes('--watch') ? sourceProgram : findProgram();
  const argv = [program, 'server', ...args];
  if (!isNewEnough()) return runProgram([findNode(), ...argv], { tethered: true });
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  process.argv = [process.execPath, ...argv];
  await import(pathToFileURL(program).href);
  return process.exitCode;
});
