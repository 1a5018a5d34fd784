import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { start } from '../lib/exec.ts';
import { LineSplitter } from '../sandbox/split-lines.ts';

const BLOCK_BYTES = 512;
const LOOK_MS = 20_000;
/** Of what is found, each time it is found: no build that means well has so many, and each costs some time here. */
const MAX_FOUND = 100_000;

/** Its name is gone, and it is no memory, which has a limit of its own. */
const REMOVED = ['/memfd:*', '/dev/*', '/SYSV*'].reduce(
  (tests, memory) => [...tests, '!', '-lname', memory],
  ['-lname', '* (deleted)'],
);
/** The kind and mode, how many names it has, where it is, what it takes. */
const FOUND = /^8[0-9a-f]{3} 0 (\d+ \d+) (\d+)$/;

/**
 * What files take on the disk that have no name any more, and that these processes keep by having them open or
 * mapped. Processes may have millions, and each look at one waits for the kernel: a program of its own looks.
 * What is mapped only root may see; a plain user's file system is still watched as a whole.
 */
export async function heldBytes(pids: readonly number[], signal: AbortSignal, maxFound = MAX_FOUND): Promise<number> {
  if (pids.length === 0) return 0;
  const places = pids.flatMap((pid) => [`/proc/${pid}/fd`, `/proc/${pid}/map_files`]);
  const print = ['-exec', 'stat', '--dereference', '--printf', '%f %h %d %i %b\\n', '--', '{}', '+'];
  const sizes = new Map<string, number>();
  let found = 0;
  await eachLine(['find', ...places, '-maxdepth', '1', ...REMOVED, ...print], signal, (line) => {
    found += 1;
    if (found > maxFound) throw new Error(`more than ${maxFound} removed files are kept open`);
    const [, file, blocks] = FOUND.exec(line) ?? [];
    if (file) sizes.set(file, Number(blocks) * BLOCK_BYTES);
  });
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

/** Processes end while one looks at them, so that how it ends says nothing. */
async function eachLine(
  argv: [string, ...string[]],
  signal: AbortSignal,
  onLine: (line: string) => void,
): Promise<void> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(LOOK_MS)]);
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C' };
  const child = start(argv, { env, stdio: ['ignore', 'pipe', 'ignore'], signal: until });
  try {
    await Promise.all([once(child, 'close'), readLines(child.stdout!, onLine)]);
  } catch (error) {
    throw until.aborted ? new Error('what is kept open takes too long to find') : error;
  } finally {
    child.kill('SIGKILL');
  }
}

async function readLines(output: Readable, onLine: (line: string) => void): Promise<void> {
  const splitter = new LineSplitter();
  for await (const chunk of output as AsyncIterable<Buffer>) for (const line of splitter.push(chunk)) onLine(line);
}
