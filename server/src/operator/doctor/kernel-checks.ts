import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cgroupFolders, controllers, isWritable, type CgroupFolder } from '../../sandbox/cgroups/find-folders.ts';
import { ok, warn, type CheckFamily, type Finding } from './check.ts';

export const kernelChecks: CheckFamily = {
  title: 'Kernel',
  checks: [
    { id: 'kernel.cgroups', title: 'Control groups', look: lookAtCgroups },
    { id: 'kernel.user-namespaces', title: 'User namespaces', look: lookAtUserNamespaces },
  ],
};

function lookAtCgroups(): Finding {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8');
  const own = readFileSync('/proc/self/cgroup', 'utf8');
  return judgeCgroups(cgroupFolders(mounts, own), isWritable);
}

export function judgeCgroups(folders: readonly CgroupFolder[], canWrite: (path: string) => boolean): Finding {
  const usable = controllers.map((name) => {
    const folder = folders.find((candidate) => candidate.controllers.includes(name));
    return { name, version: folder?.version, isUsable: folder !== undefined && canWrite(folder.path) };
  });
  const lacking = usable.filter((controller) => !controller.isUsable).map((controller) => controller.name);
  const versions = [...new Set(usable.flatMap(({ version }) => version ?? []))];
  const found = versions.length === 0 ? 'not mounted' : `version ${versions.join(' and ')}`;
  return lacking.length === 0
    ? ok(`${found}; ${controllers.join(', ')} can be limited`)
    : warn(
        `${found}; ${lacking.join(', ')} cannot be limited by this user`,
        'Builds and servers then run without these limits. Run Lilac as root, or from a systemd unit with Delegate=yes.',
      );
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
