import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ok, warn, type CheckFamily, type Finding } from './check.ts';

export const kernelChecks: CheckFamily = {
  title: 'Kernel',
  checks: [
    { id: 'kernel.cgroups', title: 'Control groups', look: lookAtCgroups },
    { id: 'kernel.user-namespaces', title: 'User namespaces', look: lookAtUserNamespaces },
  ],
};

/** What limits an instance. Version 1 mounts each apart, version 2 all in one place. */
const neededControllers = ['cpu', 'memory', 'pids'] as const;

export interface CgroupFolder {
  version: 1 | 2;
  controllers: readonly string[];
  path: string;
}

function lookAtCgroups(): Finding {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8');
  const own = readFileSync('/proc/self/cgroup', 'utf8');
  return judgeCgroups(cgroupFolders(mounts, own), isWritable);
}

/** Where this process may put groups of its own: the folder of the group it is in, for every controller. */
export function cgroupFolders(mountinfo: string, ownGroups: string): CgroupFolder[] {
  return mountinfo.split('\n').flatMap((line): CgroupFolder[] => {
    const [mount = '', source = ''] = line.split(' - ');
    const root = mount.split(' ')[3];
    const mountPoint = mount.split(' ')[4];
    const [type, , options = ''] = source.split(' ');
    if (!mountPoint || !root || (type !== 'cgroup' && type !== 'cgroup2')) return [];
    const version = type === 'cgroup' ? 1 : 2;
    const path = join(mountPoint, ownPathIn(ownGroups, version === 1 ? options.split(',') : null, root));
    const controllers = version === 1 ? options.split(',') : readControllers(path);
    return [{ version, controllers: neededControllers.filter((name) => controllers.includes(name)), path }];
  });
}

export function judgeCgroups(folders: readonly CgroupFolder[], canWrite: (path: string) => boolean): Finding {
  const usable = neededControllers.map((name) => {
    const folder = folders.find((candidate) => candidate.controllers.includes(name));
    return { name, version: folder?.version, isUsable: folder !== undefined && canWrite(folder.path) };
  });
  const lacking = usable.filter((controller) => !controller.isUsable).map((controller) => controller.name);
  const versions = [...new Set(usable.flatMap(({ version }) => version ?? []))];
  const found = versions.length === 0 ? 'not mounted' : `version ${versions.join(' and ')}`;
  return lacking.length === 0
    ? ok(`${found}; ${neededControllers.join(', ')} can be limited`)
    : warn(
        `${found}; ${lacking.join(', ')} cannot be limited by this user`,
        'Instances then run without these limits. Run Lilac as root, or from a systemd unit with Delegate=yes.',
      );
}

function ownPathIn(ownGroups: string, controllers: readonly string[] | null, root: string): string {
  const groups = ownGroups.split('\n').map((line) => line.split(':'));
  const own = groups.find(([id, names = '']) =>
    controllers ? names.split(',').some((name) => name !== '' && controllers.includes(name)) : id === '0',
  );
  const path = own?.slice(2).join(':') ?? '/';
  return root !== '/' && path.startsWith(root) ? path.slice(root.length) : path;
}

function readControllers(path: string): string[] {
  try {
    return readFileSync(join(path, 'cgroup.controllers'), 'utf8').trim().split(' ');
  } catch {
    return [];
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Kernel settings that forbid them, with the value that does. */
const forbidding = [
  { setting: 'user/max_user_namespaces', value: '0', remedy: 'sysctl -w user.max_user_namespaces=15000' },
  { setting: 'kernel/unprivileged_userns_clone', value: '0', remedy: 'sysctl -w kernel.unprivileged_userns_clone=1' },
  {
    setting: 'kernel/apparmor_restrict_unprivileged_userns',
    value: '1',
    remedy: 'sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or give bwrap an AppArmor profile',
  },
] as const;

function lookAtUserNamespaces(): Finding {
  return judgeUserNamespaces(readKernelSetting);
}

export function judgeUserNamespaces(read: (setting: string) => string | null): Finding {
  const forbids = forbidding.find(({ setting, value }) => read(setting) === value);
  return forbids
    ? warn(`forbidden: ${forbids.setting.replace('/', '.')} is ${forbids.value}`, `As root: ${forbids.remedy}`)
    : ok('allowed');
}

function readKernelSetting(setting: string): string | null {
  try {
    return readFileSync(join('/proc/sys', setting), 'utf8').trim();
  } catch {
    return null;
  }
}
