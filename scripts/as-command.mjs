import { SetUpError } from './find-node.mjs';
import { say } from './run-program.mjs';

/**
 * Runs a script's work; a problem that the person can mend is told without a stack. Where it has a usage to tell,
 * `--help` does that and nothing else.
 */
export async function asCommand(work, usage) {
  const args = process.argv.slice(2);
  if (usage && args.some((arg) => arg === '--help' || arg === '-h')) {
    console.log(usage);
    return;
  }
  try {
    process.exitCode = await work(args);
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    say(`lilac: ${error.message}`);
    process.exitCode = 1;
  }
}
