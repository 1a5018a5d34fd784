import { run } from '../../lib/exec.ts';
import { PROGRAM_PATH } from '../../sandbox/launch.ts';

/** Runs a program of the system to its end; rejects with its own words when it fails. */
export async function runSystemProgram(...argv: [string, ...string[]]): Promise<void> {
  const { exitCode, signal, stderr } = await run(argv, { env: { PATH: PROGRAM_PATH }, timeoutMs: 120_000 });
  if (exitCode !== 0)
    throw new Error(`${argv[0]}: ${stderr.trim().slice(0, 500) || `ended with ${exitCode ?? signal}`}`);
}
