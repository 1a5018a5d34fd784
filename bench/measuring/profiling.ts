import { tmpdir } from 'node:os';

/**
 * With `--profile`, the Node that gets these leaves a profile of its processor time in the temporary folder:
 * `bench/measuring/tell-profile.ts` says what is in it.
 */
export function profiling(): Record<string, string> {
  return process.argv.includes('--profile') ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${tmpdir()}` } : {};
}
