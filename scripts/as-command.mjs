import { SetUpError } from './find-node.mjs';
import { say } from './run-program.mjs';

/** Runs a script's work; a problem that the person can mend is told without a stack. */
export async function asCommand(work) {
  try {
    process.exitCode = await work(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    say(`lilac: ${error.message}`);
    process.exitCode = 1;
  }
}
