import { once } from 'node:events';
import { openProcessInput } from './frame/input.ts';
import { runCli } from './run-cli.ts';

// `lilac apps list | head` has read what it wanted; `lilac logs --follow` would go on for nobody.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

process.exitCode = await runCli(process.argv.slice(2), {
  environment: process.env,
  width: process.stdout.columns ?? 120,
  isTerminal: process.stdout.isTTY,
  input: openProcessInput(),
  print: (text) => (process.stdout.write(text) ? undefined : once(process.stdout, 'drain')),
  complain: (text) => process.stderr.write(text),
});
