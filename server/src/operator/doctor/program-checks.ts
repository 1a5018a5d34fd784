import { run } from '../../lib/exec.ts';
import { ok, warn, type CheckedHost, type CheckFamily, type Finding } from './check.ts';
import { findProgram } from '../../lib/find-program.ts';

export const programChecks: CheckFamily = {
  title: 'Programs',
  checks: [
    { id: 'programs.bubblewrap', title: 'bubblewrap', look: lookAtBubblewrap },
    {
      id: 'programs.git',
      title: 'git',
      look: (host) =>
        lookAtProgram(host, { names: ['git'], missing: 'Repositories cannot be fetched: apt-get install git' }),
    },
  ],
};

export async function lookAtProgram(
  { environment }: CheckedHost,
  { names, missing }: { names: readonly string[]; missing: string },
): Promise<Finding> {
  const program = findProgram(names, environment.PATH);
  if (!program) return warn('not found', missing);
  const version = await tryToRun([program, '--version']);
  return version.works
    ? ok(`${version.said} (${program})`)
    : warn(`${program} does not start: ${version.said}`, missing);
}

/** That it is there is not enough: some hosts forbid the namespaces it needs. */
export async function lookAtBubblewrap(host: CheckedHost): Promise<Finding> {
  const installed = await lookAtProgram(host, {
    names: ['bwrap'],
    missing: 'Builds and instances cannot be kept apart from this machine: apt-get install bubblewrap',
  });
  const program = findProgram(['bwrap'], host.environment.PATH);
  if (installed.status !== 'ok' || !program) return installed;
  const sandbox = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-all', '--die-with-parent'];
  const trial = await tryToRun([program, ...sandbox, 'true']);
  return trial.works
    ? ok(`${installed.found}, starts a sandbox`)
    : warn(
        `${installed.found}, but it cannot start a sandbox: ${trial.said}`,
        'Allow user namespaces (see below). Where they are allowed, a container or a policy around Lilac forbids it to mount.',
      );
}

async function tryToRun(argv: readonly [string, ...string[]]): Promise<{ works: boolean; said: string }> {
  try {
    const { exitCode, stdout, stderr } = await run(argv, { env: { PATH: '/usr/bin:/bin' }, timeoutMs: 10_000 });
    const works = exitCode === 0;
    return { works, said: firstLineOf(works ? stdout : stderr) };
  } catch (error) {
    return { works: false, said: (error as Error).message };
  }
}

function firstLineOf(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}
