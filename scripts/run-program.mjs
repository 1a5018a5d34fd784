import { spawn } from 'node:child_process';
import { accessSync, constants as fileConstants } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What a script has to say goes beside the program's own output. */
export function say(text) {
  process.stderr.write(`${text}\n`);
}

/**
 * Runs a program to its end, on this terminal, and passes signals on. Resolves to its exit code.
 * With `quiet`, what it says is shown only when it fails. With `tethered`, it learns when we are gone.
 */
export function runProgram([file, ...args], { cwd = root, env = process.env, quiet = false, tethered = false } = {}) {
  return new Promise((resolve, reject) => {
    const terminal = quiet ? ['ignore', 'pipe', 'pipe'] : ['inherit', 'inherit', 'inherit'];
    const child = spawn(file, args, { cwd, env, stdio: tethered ? [...terminal, 'ipc'] : terminal });
    const output = [];
    child.stdout?.on('data', (chunk) => output.push(chunk));
    child.stderr?.on('data', (chunk) => output.push(chunk));
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => [signal, () => child.kill(signal)]);
    for (const [signal, pass] of signals) process.on(signal, pass);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      for (const [name, pass] of signals) process.off(name, pass);
      const exitCode = code ?? 128 + constants.signals[signal];
      if (exitCode !== 0) for (const chunk of output) process.stderr.write(chunk);
      resolve(exitCode);
    });
  });
}

/** Where a command is found on this machine, or null. */
export function findCommand(name, path = process.env.PATH ?? '') {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, name);
    try {
      accessSync(file, fileConstants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}
