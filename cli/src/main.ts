import { answerQuickly } from './quick-answer.ts';
import { widthOf } from './terminal/width-of.ts';

const argv = process.argv.slice(2);
const answer = answerQuickly(argv, widthOf(process.stdout));
if (answer === null) {
  // All that commands need takes a while to load.
  process.exitCode = await (await import('./run-process.ts')).runProcess(argv);
} else {
  // `lilac --help | head` has read what it wanted.
  process.stdout.on('error', () => process.exit(0));
  process.stdout.write(answer);
}
