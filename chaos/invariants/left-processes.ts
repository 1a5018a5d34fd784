import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { processesOf } from '../../e2e/left-processes.ts';
import { installationId } from '../../server/src/runtime/network/names.ts';
import { findCgroupFolders } from '../../server/src/sandbox/cgroups/find-folders.ts';
import { isExpected, type Expected } from './expected.ts';

/**
 * Processes of this installation that belong to nothing, wherever they have gone: by what they know, and by their
 * group.
 */
export function leftProcesses(expected: Expected): string[] {
  const known = processesOf(expected.home);
  const grouped = groupsOf(expected.home).flatMap((path) => membersOf(path));
  return [...new Set([...known, ...grouped])]
    .filter((pid) => !expected.pids.has(pid))
    .map((pid) => `process ${pid} (${commandOf(pid)})`);
}

/** Control groups of what is not there. */
export function leftGroups(expected: Expected): string[] {
  return groupsOf(expected.home).filter((path) => !isExpected(expected, path));
}

/** Of the processes of the platform and its databases: whoever listens where nobody should. */
export function leftPorts(expected: Expected, publicPort: number): string[] {
  const listening = listeningSockets();
  return [...expected.pids].flatMap((pid) =>
    descriptorsOf(pid)
      .flatMap((socket) => listening.get(socket) ?? [])
      .filter((port) => port !== publicPort && !expected.ports.has(port))
      .map((port) => `port ${port} of process ${pid} (${commandOf(pid)})`),
  );
}

function groupsOf(home: string): string[] {
  const beginning = `lilac-${installationId(home)}-`;
  return findCgroupFolders().flatMap(({ path }) =>
    namesIn(path)
      .filter((name) => name.startsWith(beginning))
      .map((name) => join(path, name)),
  );
}

const membersOf = (group: string): number[] =>
  textOf(join(group, 'cgroup.procs')).split('\n').filter(Boolean).map(Number);

const commandOf = (pid: number): string => textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').slice(0, 120);

/** By the name that a descriptor has: where it listens, in this machine's own network. */
function listeningSockets(): Map<string, number> {
  const rows = ['tcp', 'tcp6'].flatMap((name) => textOf(`/proc/net/${name}`).split('\n'));
  const fields = rows.map((row) => row.trim().split(/\s+/)).filter(([, , , state]) => state === '0A');
  return new Map(fields.map((row) => [`socket:[${row[9]}]`, Number.parseInt(row[1]!.split(':')[1]!, 16)]));
}

/** What a process has open: paths, and names of sockets. */
export function descriptorsOf(pid: number): string[] {
  return namesIn(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return [];
    }
  });
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
