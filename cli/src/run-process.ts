import { once } from 'node:events';
import { openProcessInput } from './frame/input.ts';
import { Interrupted } from './frame/interrupted.ts';
import { runCli } from './run-cli.ts';

/** The launcher of an older Node passes on what the terminal sends here as well: that is one Ctrl-C, not two. */
const SAME_INTERRUPTION_MS = 300;

/** Answers the exit code. */
export async function runProcess(argv: readonly string[]): Promise<number> {
  const { signal } = abortedBySignals();
  const exitCode = await runCli(argv, {
    cwd: process.cwd(),
    environment: process.env,
    width: process.stdout.columns ?? 120,
    isTerminal: process.stdout.isTTY,
    input: openProcessInput(),
    print: (text) => (process.stdout.write(text) ? undefined : once(process.stdout, 'drain')),
    complain: (text) => process.stderr.write(text),
    signal,
  });
  // What was interrupted may still wait for an answer that nobody wants.
  if (signal.aborted) process.exit(exitCode);
  return exitCode;
}

/** The first one asks to end; another one ends. */
function abortedBySignals(): AbortController {
  const ending = new AbortController();
  let sinceMs = 0;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      const interrupted = new Interrupted(name);
      if (!ending.signal.aborted) {
        sinceMs = performance.now();
        ending.abort(interrupted);
      } else if (performance.now() - sinceMs > SAME_INTERRUPTION_MS) process.exit(interrupted.exitCode);
    });
  }
  return ending;
}
