import { run } from '../../server/src/lib/exec.ts';

export const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Fails with what to install when a program is missing: its name, and the package it is in. */
export async function requirePrograms(packages: Record<string, string>): Promise<void> {
  const missing: string[] = [];
  for (const [program, name] of Object.entries(packages)) {
    const found = await run(['which', program], { env: { PATH } });
    if (found.exitCode !== 0) missing.push(name);
  }
  if (missing.length === 0) return;
  console.error(`Some programs are missing. Run: apt-get install --no-install-recommends ${missing.join(' ')}`);
  process.exit(1);
}
