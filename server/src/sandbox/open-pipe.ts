import { closeSync, constants, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { run } from '../lib/exec.ts';
import { PROGRAM_PATH } from './launch.ts';

export interface Pipe {
  output: Readable;
  /** For the program; to be closed here once it has it, else the output never ends. */
  input: number;
  closeInput: () => void;
}

/**
 * A pipe that can be opened anew by its name, as `/dev/stdout` is: what Node makes is a pair of sockets,
 * which cannot, and what root makes without a name belongs to root. It is nameless once it is open.
 */
export async function openPipe(path: string): Promise<Pipe> {
  rmSync(path, { force: true });
  const made = await run(['mkfifo', '-m', '666', '--', path], { env: { PATH: PROGRAM_PATH } });
  if (made.exitCode !== 0) throw new Error(`cannot make the pipe of a sandbox: ${made.stderr}`);
  try {
    const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const input = openSync(path, constants.O_WRONLY);
    const output = new Socket({ fd: reading, readable: true, writable: false });
    return { output, input, closeInput: () => closeSync(input) };
  } finally {
    rmSync(path, { force: true });
  }
}
