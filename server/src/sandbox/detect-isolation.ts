import { existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../lib/exec.ts';
import { findProgram } from '../lib/find-program.ts';
import { removeTree } from '../lib/remove-tree.ts';
import { findCgroupFolders, type CgroupFolder } from './cgroups/find-folders.ts';
import { namespaceArgv, dropArgv, PROGRAM_PATH } from './launch.ts';
import { preludeArgv, stageMounts } from './prelude.ts';
import { SANDBOX_HOME, type Isolation } from './sandbox.ts';
import { callFilter } from './seccomp/call-filter.ts';
import { FIRST_UID } from './uids.ts';

export interface HostAbilities extends Isolation {
  canForbidNamespaces: boolean;
  /** Whether the kernel refuses system calls by a filter of ours. */
  canFilterCalls: boolean;
  cgroupFolders: readonly CgroupFolder[];
}

/** Tries what this machine really allows: that a program is there says little. */
export async function detectIsolation({
  folder,
  path,
}: {
  folder: string;
  path: string | undefined;
}): Promise<HostAbilities> {
  const isRoot = process.getuid?.() === 0;
  const program = findProgram(['bwrap'], path);
  const isWorking = program !== null && (await canWrap(program, isRoot, []));
  const cgroupFolders = findCgroupFolders();
  const abilities = {
    isRoot,
    bubblewrap: isWorking ? program : null,
    canForbidNamespaces: isWorking && (await canWrap(program, isRoot, ['--disable-userns'])),
    canFilterCalls: isWorking && canFilterCalls(),
    canOverlay: await canOverlay(folder, isRoot),
    cgroupFolders,
    limited: [...new Set(cgroupFolders.flatMap(({ controllers }) => controllers))],
  };
  return { ...abilities, lacking: describeLacking(abilities) };
}

function describeLacking({
  isRoot,
  bubblewrap,
  limited,
}: Pick<Isolation, 'isRoot' | 'bubblewrap' | 'limited'>): string[] {
  const unlimited = (['memory', 'cpu', 'pids'] as const).filter((name) => !limited.includes(name));
  return [
    ...(bubblewrap || !isRoot
      ? []
      : [
          'bubblewrap does not work here: this is kept apart by its own user and namespaces only, and sees the system.',
        ]),
    ...(unlimited.length > 0
      ? [`The control groups for ${unlimited.join(', ')} cannot be used: no such limit is held.`]
      : []),
  ];
}

export function canFilterCalls(): boolean {
  return existsSync('/proc/sys/kernel/seccomp/actions_avail') && callFilter() !== null;
}

async function canWrap(program: string, isRoot: boolean, options: readonly string[]): Promise<boolean> {
  const view = ['--unshare-user', '--unshare-pid', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'];
  return works([...(isRoot ? dropArgv(FIRST_UID) : []), program, ...view, ...options, '--', '/bin/true']);
}

async function canOverlay(folder: string, isRoot: boolean): Promise<boolean> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const probe = mkdtempSync(join(folder, 'probe-'));
  try {
    const [lower = '', upper = '', work = '', stage = ''] = ['lower', 'upper', 'work', 'stage'].map((name) => {
      mkdirSync(join(probe, name));
      return join(probe, name);
    });
    const steps = stageMounts({
      stage,
      mounts: [{ kind: 'overlay', lower, upper, work, at: `${SANDBOX_HOME}/x` }],
      placeOf: () => 'x',
      isRoot,
    });
    return await works([
      ...namespaceArgv(isRoot),
      ...preludeArgv(),
      ...steps,
      '--',
      '/bin/touch',
      `${isRoot ? SANDBOX_HOME : stage}/x/y`,
    ]);
  } finally {
    await removeTree(probe);
  }
}

export async function works(argv: readonly string[]): Promise<boolean> {
  try {
    const { exitCode } = await run(argv as [string, ...string[]], { env: { PATH: PROGRAM_PATH }, timeoutMs: 10_000 });
    return exitCode === 0;
  } catch {
    return false;
  }
}
