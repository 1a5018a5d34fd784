import { run } from '../../server/src/lib/exec.ts';
import { reportMissing } from '../measuring/report.ts';

export const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Programs by name, each with the package it is in. */
export type Programs = Record<string, string>;

/** Ends the benchmark, and says what to install, where a program is missing without which nothing can be measured. */
export async function requirePrograms(programs: Programs): Promise<void> {
  const missing = await findMissing(programs);
  if (missing.length === 0) return;
  reportMissing('everything', adviceFor(programs, missing));
  process.exit();
}

export async function findMissing(programs: Programs): Promise<string[]> {
  const missing: string[] = [];
  for (const program of Object.keys(programs)) {
    const found = await run(['which', program], { env: { PATH } });
    if (found.exitCode !== 0) missing.push(program);
  }
  return missing;
}

export function adviceFor(programs: Programs, missing: readonly string[]): string {
  return `apt-get install --no-install-recommends ${missing.map((program) => programs[program]).join(' ')}`;
}
