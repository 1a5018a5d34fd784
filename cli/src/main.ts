import { once } from 'node:events';
import { openProcessInput } from './frame/input.ts';
import { Interrupted } from './frame/interrupted.ts';
import { runCli } from './run-cli.ts';

/** The launcher of an older Node passes on what the terminal sends here as well: that is one Ctrl-C, not two. */
const SAME_INTERRUPTION_MS = 300;

// `lilac apps list | head` has read what it wanted; `lilac logs --follow` would go on for nobody.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

const ending = new AbortController();
let endingSinceMs = 0;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    const interrupted = new Interrupted(signal);
    if (!ending.signal.aborted) {
      endingSinceMs = performance.now();
      ending.abort(interrupted);
    } else if (performance.now() - endingSinceMs > SAME_INTERRUPTION_MS) process.exit(interrupted.exitCode);
  });
}

process.exitCode = await runCli(process.argv.slice(2), {
  cwd: process.cwd(),
  environment: process.env,
  width: process.stdout.columns ?? 120,
  isTerminal: process.stdout.isTTY,
  input: openProcessInput(),
  print: (text) => (process.stdout.write(text) ? undefined : once(process.stdout, 'drain')),
  complain: (text) => process.stderr.write(text),
  signal: ending.signal,
});
// What was interrupted may still wait for an answer that nobody wants.
if (ending.signal.aborted) process.exit();
