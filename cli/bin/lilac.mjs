#!/usr/bin/env node
/**
 * The launcher. It runs on any Node from 18 on, without dependencies, and hands over to the program
 * itself, which needs Node 24: in this process where Node is new enough, else on the Node that npm
 * brought with the project.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const NODE_MAJOR = 24;
const operatorWords = ['server', 'role', 'admin', 'doctor', 'backup', 'restore'];

const here = realpathSync(fileURLToPath(import.meta.url));

if (process.argv.length === 3 && ['--version', '-v'].includes(process.argv[2])) {
  // Whatever Node this is: nothing else has to be started for it.
  const { version } = JSON.parse(readFileSync(join(dirname(here), '..', 'package.json'), 'utf8'));
  process.stdout.write(`${version}\n`);
} else if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) {
  const program = await programFor(process.argv[2]);
  process.argv[1] = program;
  // Beside the packages, so that it is as trustworthy as they are; where it cannot be written, nothing is kept.
  module.enableCompileCache(join(dirname(here), '..', '..', 'node_modules', '.cache', 'lilac'));
  await import(pathToFileURL(program).href);
} else {
  runOn(bundledNode());
}

/** The server is not part of every installation of the command line. */
async function programFor(word) {
  if (!operatorWords.includes(word)) return join(dirname(here), '..', 'src', 'main.ts');
  return (await loadServer(word)).findProgram();
}

async function loadServer(word) {
  try {
    return await import('@lilac/server/program');
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return giveUp(
      `"lilac ${word}" is a command for whoever runs the platform, and the server (@lilac/server) is not installed here.`,
      `Run it on the platform's machine, in the project's folder, after "npm ci".`,
    );
  }
}

function bundledNode() {
  const name = `node-${process.platform}-${process.arch}`;
  for (let folder = dirname(here); ; folder = dirname(folder)) {
    const node = join(folder, 'node_modules', name, 'bin', 'node');
    if (existsSync(node) && realpathSync(node) !== process.execPath) return node;
    if (folder === dirname(folder)) break;
  }
  return giveUp(
    `Lilac needs Node ${NODE_MAJOR} or newer; this is ${process.version}, and the one it brings (${name}) is not installed.`,
    `Run "npm ci --include=optional" in the project's folder, or call it with Node ${NODE_MAJOR}.`,
  );
}

function runOn(node) {
  const child = spawn(node, [here, ...process.argv.slice(2)], { stdio: 'inherit' });
  child.once('error', (error) => giveUp(`${node} cannot be started: ${error.message}`, 'Run "npm ci" again.'));
  // A terminal sends its Ctrl-C to the child as well; having it twice changes nothing there.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code, signal) => endWith(code ?? 128 + constants.signals[signal]));
}

/** Where the terminal was closed, older ones abort when they want to set it back: they end by the signal itself. */
function endWith(exitCode) {
  if (exitCode === 128 + constants.signals.SIGHUP) {
    process.removeAllListeners('SIGHUP');
    process.kill(process.pid, 'SIGHUP');
  } else {
    process.exit(exitCode);
  }
}

function giveUp(problem, advice) {
  process.stderr.write(`lilac: ${problem}\n${advice}\n`);
  process.exit(1);
}
