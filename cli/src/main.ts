import { runCli } from './run-cli.ts';

process.exitCode = await runCli(process.argv.slice(2), {
  environment: process.env,
  width: process.stdout.columns ?? 120,
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
});
