import { openProcessInput } from './frame/input.ts';
import { Interrupted } from './frame/interrupted.ts';
import { runCli } from './run-cli.ts';
import { openOutput } from './terminal/open-output.ts';
import { widthOf } from './terminal/width-of.ts';

/** The launcher of an older Node passes on what the terminal sends here as well: that is one Ctrl-C, not two. */
const SAME_INTERRUPTION_MS = 300;

/** Answers the exit code. */
export async function runProcess(argv: readonly string[]): Promise<number> {
  const ending = abortedBySignals();
  const { signal } = ending;
  const endBy = (name: 'SIGHUP' | 'SIGPIPE') => () => ending.abort(new Interrupted(name));
  const complain = openOutput(process.stderr, endBy('SIGHUP'));
  const exitCode = await runCli(argv, {
    cwd: process.cwd(),
    environment: process.env,
    width: widthOf(process.stdout),
    isTerminal: process.stdout.isTTY,
    input: openProcessInput(),
    print: openOutput(process.stdout, endBy('SIGPIPE')),
    complain: (text) => void complain(text),
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
        // A terminal that is closed says so several times, and nobody is there who could be in a hurry.
      } else if (name !== 'SIGHUP' && performance.now() - sinceMs > SAME_INTERRUPTION_MS)
        process.exit(interrupted.exitCode);
    });
  }
  return ending;
}
