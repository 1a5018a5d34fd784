import { answerQuickly } from './quick-answer.ts';

// `lilac apps list | head` has read what it wanted; `lilac logs --follow` would go on for nobody.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

const argv = process.argv.slice(2);
const answer = answerQuickly(argv, process.stdout.columns ?? 120);
// All that commands need takes a while to load.
if (answer === null) process.exitCode = await (await import('./run-process.ts')).runProcess(argv);
else process.stdout.write(answer);
