import { join } from 'node:path';
import { createCgroup, planCgroup } from '../../sandbox/cgroups/cgroup.ts';
import { hastenEntering } from '../../sandbox/cgroups/hasten-entering.ts';
import { uidOf } from '../../sandbox/uids.ts';
import { refuseMissing } from '../refuse-missing.ts';
import { StartRefused, type InstanceAddress, type InstanceSpec } from '../runtime.ts';
import type { ToolSource } from '../tools.ts';
import type { InstanceHost } from './detect-host.ts';
import { careForProcesses } from './care-for-processes.ts';
import { inner } from '../inner-paths.ts';
import { instanceEnvironment } from '../instance-environment.ts';
import type { InstanceKeeper } from '../held/instance-keeper.ts';
import { newRecord, readRecord, writeRecord, type InstanceRecord } from '../held/instance-record.ts';
import { launchInstance } from './launch-instance.ts';
import type { InstanceNetworks } from '../instance-networks.ts';
import type { InstanceOutputs } from '../output/instance-outputs.ts';
import type { SettingsCopy } from './settings-copy.ts';
import type { SlugCache } from '../slugs/slug-cache.ts';

export interface StartContext {
  tools: ToolSource;
  networks: InstanceNetworks;
  host: InstanceHost;
  root: string;
  stage: string;
  /** Tells the control groups of this installation from those of another. */
  installation: string;
  slugs: SlugCache;
  settings: SettingsCopy;
  outputs: InstanceOutputs;
  keeper: InstanceKeeper;
}

const PIDS = 1024;
/** Whoever wakes somebody should not wait for half a processor, nor for others; the keeper slows it down afterwards. */
const CPUS_TO_START = 2;

export async function startInstance(spec: InstanceSpec, context: StartContext): Promise<InstanceAddress> {
  if (!/^[a-z0-9_]+$/.test(spec.id)) throw new StartRefused(`${spec.id} is no name for an instance.`);
  const { host, slugs, networks } = context;
  if (!host.bubblewrap && !host.isRoot) {
    throw new StartRefused('Servers cannot be run: bubblewrap does not work here. `lilac doctor` tells what to do.');
  }
  const uid = uidOf(spec.environmentId);
  const [slug, tools, settings] = await Promise.all([
    slugs.use({ ...spec.slug, uid }).catch(refuseMissing),
    context.tools(spec.tools),
    context.settings.current(),
  ]);
  const lease = await networks.lease(spec.id, spec.port, spec.organisationId);
  using _reserved = context.keeper.reserve(spec.id);
  const cgroup = planCgroup(host.cgroupFolders, `lilac-${context.installation}-${spec.id}`);
  const record = newRecord(spec, { lease, settings, cgroup });
  if (!(await tryWriting(record, context))) return takeOver(record, context);
  const folder = join(context.root, spec.id);
  try {
    const cpus = Math.max(spec.cpus, CPUS_TO_START);
    createCgroup(record.cgroup, { memoryMb: spec.memoryMb, cpus, pids: PIDS, timeoutMs: 0, isUrgent: true });
    hastenEntering();
    const env = instanceEnvironment(spec, { tools, lease });
    const cwd = join(inner.app, join('/', spec.workDirectory));
    const { command, memoryMb } = spec;
    const output = context.outputs.make({ instanceId: spec.id, ...spec });
    const given = { host, folder, output, stage: context.stage, settings, slug, tools: tools.mounts, uid, cgroup };
    const child = await launchInstance({ ...given, lease, memoryMb, command, cwd, env });
    context.keeper.hold({ record, folder, child });
  } catch (error) {
    await careForProcesses(networks).clearAway({ record, folder });
    throw error;
  }
  return { host: lease.host, port: lease.port };
}

async function tryWriting(record: InstanceRecord, { root, networks }: StartContext): Promise<boolean> {
  try {
    return writeRecord(root, record);
  } catch (error) {
    await networks.release(record.lease);
    throw error;
  }
}

/** Another process of the platform was faster: its instance is the one. */
async function takeOver({ id, lease }: InstanceRecord, { root, networks }: StartContext): Promise<InstanceAddress> {
  const theirs = readRecord(join(root, id))?.lease;
  if (!theirs || theirs.kind !== lease.kind || theirs.slot !== lease.slot) await networks.release(lease);
  if (!theirs) throw new Error(`${id} is being removed`);
  return { host: theirs.host, port: theirs.port };
}
