import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { start, type ChildProcess } from '../../lib/exec.ts';
import { entrancesOf, type Cgroup } from '../../sandbox/cgroups/cgroup.ts';
import { PROGRAM_PATH } from '../../sandbox/launch.ts';
import { enterSteps, preludeArgv } from '../../sandbox/prelude.ts';
import { keepLogSmall } from '../../store/keep-log-small.ts';
import { sendSignal } from './members.ts';
import type { ServerProgram } from './server-host.ts';

export interface LaunchPlan {
  program: ServerProgram;
  home: string;
  uid: number | null;
  cgroup: Cgroup;
  /** Null: setpriv is not there. */
  setpriv: string | null;
}

/** A mount in there goes with the program; those that go outside go in there too. */
const OWN_VIEW = ['unshare', '--mount', '--propagation', 'slave', '--'];

/** Should the whole machine run out of memory, databases go after instances, and before the platform and its store. */
const EXPENDABLE = '100';
const MAX_OUTPUT_BYTES = 1_048_576;

/** Starts it in a session of its own, with its output in the file. */
export async function launchServer(plan: LaunchPlan, { note, logFile }: { note: string; logFile: string }) {
  keepLogSmall(logFile);
  const output = openSync(logFile, 'a', 0o600);
  try {
    const child = start(planArgv(plan, ['note', note], []), {
      env: environmentOf(plan),
      cwd: '/',
      stdio: ['ignore', output, output],
      detached: true,
    });
    await hasSpawned(child);
    child.unref();
    return child;
  } finally {
    closeSync(output);
  }
}

/** Runs a helper, which ends with whoever runs it. */
export async function runHelper(
  plan: LaunchPlan,
  timeoutMs: number,
): Promise<{ exitCode: number | null; output: string }> {
  const argv = planArgv(plan, ['merge'], ['--pdeathsig', 'KILL']);
  const child = start(argv, {
    env: environmentOf(plan),
    cwd: '/',
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  await hasSpawned(child);
  // With all that it has started, or they would go on, and hold its output open.
  const timer = setTimeout(() => sendSignal(-(child.pid ?? 0), 'SIGKILL'), timeoutMs);
  try {
    const [output] = await Promise.all([readEnd(child), once(child, 'close')]);
    return { exitCode: child.exitCode, output };
  } finally {
    clearTimeout(timer);
  }
}

/** A program may say a lot; the end of it tells why it failed. */
async function readEnd(child: ChildProcess): Promise<string> {
  let output = Buffer.alloc(0);
  for await (const chunk of child.stdout ?? []) {
    output = Buffer.concat([output, chunk as Buffer]).subarray(-MAX_OUTPUT_BYTES);
  }
  return output.toString();
}

/** Layer by layer: no descriptors of others, its control group, its folder, no privileges, the program. */
export function planArgv(
  { program, home, uid, cgroup, setpriv }: LaunchPlan,
  steps: readonly string[],
  options: readonly string[],
): [string, ...string[]] {
  const shownAt = uid === null ? undefined : program.homeAt;
  return [
    ...(shownAt ? OWN_VIEW : []),
    ...preludeArgv({ lastDescriptor: 2 }),
    ...steps,
    'expendable',
    EXPENDABLE,
    ...enterSteps(entrancesOf(cgroup)),
    ...(shownAt ? ['folder', home, shownAt] : []),
    'at',
    shownAt ?? home,
    '--',
    ...dropArgv(uid, setpriv, options),
    ...program.argv,
  ] as unknown as [string, ...string[]];
}

/** From here on there is no way to any privilege. */
function dropArgv(uid: number | null, setpriv: string | null, options: readonly string[]): string[] {
  if (setpriv === null) {
    if (uid === null) return [];
    throw new Error('Databases must not run as root: install setpriv (package util-linux).');
  }
  const id = String(uid);
  const user = ['--reuid', id, '--regid', id, '--clear-groups', '--inh-caps', '-all', '--bounding-set', '-all'];
  return [setpriv, ...(uid === null ? [] : user), '--no-new-privs', ...options, '--'];
}

const environmentOf = ({ program }: LaunchPlan) => ({ PATH: PROGRAM_PATH, ...program.env });

async function hasSpawned(child: ChildProcess): Promise<void> {
  await Promise.race([once(child, 'spawn'), once(child, 'error').then(([error]) => Promise.reject(error as Error))]);
}
