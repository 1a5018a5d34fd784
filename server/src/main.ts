/**
 * The program: `lilac server` runs the platform, `role` is one of its processes (the supervisor's
 * business), everything else is the operator's. Each loads only what it needs. This file is the program whether it is
 * run as it stands or was built (`server/build/bundle.ts`), and the supervisor starts the same for every role.
 */
async function main(argv: string[], program: string): Promise<number> {
  const [command, ...rest] = argv;
  if (command === 'server') return (await import('./supervisor/run-server.ts')).runServer(rest, program);
  if (command === 'role') return (await import('./roles/run-role.ts')).runRole(rest);
  return (await import('./operator/program.ts')).runOperatorCommand(argv);
}

process.exitCode = await main(process.argv.slice(2), import.meta.filename);
