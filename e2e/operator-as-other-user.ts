/**
 * Runs an operator's command as another user. The program is loaded before the user changes, so that
 * it does not matter whether that user may enter the project's folder. Whoever is not root cannot
 * change, and is another user than root already.
 */
import { runOperatorCommand } from '../server/src/operator/program.ts';

const NOBODY = 65_534;

if (process.getuid?.() === 0) {
  process.setgroups?.([]);
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}
process.exitCode = await runOperatorCommand(process.argv.slice(2));
