import { once } from 'node:events';
import { closeSync, fchmodSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { start, type ChildProcess } from '../../lib/exec.ts';
import { PROGRAM_PATH } from '../../sandbox/launch.ts';
import { callFilter } from '../../sandbox/seccomp/call-filter.ts';
import { filesOf } from '../held/instance-record.ts';
import { outputFilesOf } from '../output/output-files.ts';
import { planInstance, type InstancePlan } from './plan-instance.ts';

/**
 * Starts the processes of an instance, in a session of their own. Everything they are given lies in files
 * that are whole before they begin: were it sent to them, a kill half-way would start something else.
 */
export async function launchInstance(plan: InstancePlan): Promise<ChildProcess> {
  const { argv, handedOver, mounts } = planInstance(plan);
  const files = filesOf(plan.folder);
  if (mounts !== null) writeFileSync(files.mounts, mounts);
  const opened: number[] = [];
  const keep = (descriptor: number): number => {
    opened.push(descriptor);
    return descriptor;
  };
  try {
    const { stdout, stderr } = outputFilesOf(plan.output);
    const streams = [stdout, stderr].map((path) => keep(openOutput(path, plan)));
    const options = keep(openNameless(plan.folder, handedOver));
    const stdio = ['ignore' as const, ...streams, options, ...handOverMore(plan, keep)];
    const child = start(argv, { env: { PATH: PROGRAM_PATH }, cwd: '/', stdio, detached: true });
    await Promise.race([once(child, 'spawn'), once(child, 'error').then(([error]) => Promise.reject(error as Error))]);
    child.unref();
    return child;
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/** In the order of `descriptors`. */
function handOverMore({ folder, host, lease }: InstancePlan, keep: (descriptor: number) => number) {
  const filter = host.bubblewrap && host.canFilterCalls ? callFilter() : null;
  return [
    keep(openSync(filesOf(folder).status, 'a', 0o600)),
    filter ? keep(openNameless(folder, filter)) : ('ignore' as const),
    lease.resolvConf ? keep(openSync(lease.resolvConf, 'r')) : ('ignore' as const),
  ];
}

/**
 * The platform's own, since who owns a file may take a lease on it and make us wait. For everybody to write, since
 * an instance may open it anew by the name of its descriptor (/dev/stdout); nobody else reaches the folder.
 */
function openOutput(path: string, { host }: InstancePlan): number {
  const descriptor = openSync(path, 'a', 0o600);
  if (host.isRoot) fchmodSync(descriptor, 0o606);
  return descriptor;
}

function openNameless(folder: string, bytes: Buffer): number {
  const path = join(folder, 'handed-over');
  const descriptor = openSync(path, 'wx+', 0o600);
  rmSync(path);
  // At a position: reading begins where the descriptor stands.
  writeSync(descriptor, bytes, 0, bytes.length, 0);
  return descriptor;
}
