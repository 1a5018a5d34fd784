import { chmodSync, closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type Docker from 'dockerode';
import type { ContainerCreateOptions } from 'dockerode';
import { identify, type ProcessIdentity } from '../../lib/process-identity.ts';
import type { Log } from '../../lib/log.ts';
import { processorTime, type Cgroup } from '../../sandbox/cgroups/cgroup.ts';
import { cgroupFoldersOf } from '../../sandbox/cgroups/find-folders.ts';
import type { InstanceCare } from '../held/instance-care.ts';
import type { InstanceKeeper } from '../held/instance-keeper.ts';
import {
  newRecord,
  noteProcess,
  readRecord,
  rewriteRecord,
  writeRecord,
  type InstanceRecord,
} from '../held/instance-record.ts';
import { readNameServers } from '../network/name-servers.ts';
import type { InstanceOutputs } from '../output/instance-outputs.ts';
import { outputFilesOf } from '../output/output-files.ts';
import { StartRefused, type InstanceAddress, type InstanceSpec } from '../runtime.ts';
import { askContainer, type Matter } from './ask-container.ts';
import { clearAwayLater } from './clear-away-later.ts';
import type { DockerNetworks } from './docker-networks.ts';
import { asRefusal } from './engine.ts';
import { labelNames } from './network-book.ts';

export interface ContainerContext extends Matter {
  log: Log;
  engine: Docker;
  installation: string;
  /** The filter of system calls, as the engine is told it; null: the engine's own. */
  calls: () => Promise<string | null>;
  root: string;
  outputs: InstanceOutputs;
  networks: DockerNetworks;
  care: InstanceCare;
}

/** Whoever wakes somebody should not wait for half a processor, nor for others; the keeper slows it down afterwards. */
const CPUS_TO_START = 2;

export async function startContainer(
  spec: InstanceSpec,
  context: ContainerContext,
  keeper: InstanceKeeper,
): Promise<InstanceAddress> {
  if (!/^[a-z0-9_]+$/.test(spec.id)) throw new StartRefused(`${spec.id} is no name for an instance.`);
  const { networks, root } = context;
  const ask = await askContainer(spec, context);
  using _reserved = keeper.reserve(spec.id);
  const { lease, network } = await networks.lease(spec).catch((error: unknown) => {
    throw asRefusal(error, context.socketPath);
  });
  // Its control group is the engine's to make.
  const record = newRecord(spec, { lease, settings: null, cgroup: [] });
  if (!tryWriting(record, context)) return takeOver(record, context);
  const folder = join(root, spec.id);
  try {
    const output = makeOutput(spec, context);
    const shared = {
      spec,
      labels: labelsOf(spec, context),
      output,
      network: { name: network, address: lease.host },
      nameServers: readNameServers().servers,
      calls: await context.calls(),
      cpuQuotaUs: processorTime({ cpus: Math.max(spec.cpus, CPUS_TO_START) }).quotaUs,
    };
    const options = await ask({ shared, folder, lease });
    keeper.keep({ ...(await launch(context.engine, options, { record, folder })), folder });
  } catch (error) {
    // Not waited for: the engine may be away, and who asked is to know at once.
    void clearAwayLater({ record, folder }, context);
    throw asRefusal(error, context.socketPath);
  }
  return { host: lease.host, port: lease.port };
}

/** That it has noted its process means that it runs or ran: who comes after a kill removes what has not come so far. */
async function launch(
  engine: Docker,
  options: ContainerCreateOptions,
  { record, folder }: { record: InstanceRecord; folder: string },
): Promise<{ record: InstanceRecord; process: ProcessIdentity }> {
  const container = await engine.createContainer(options);
  await container.start();
  const { Pid: pid } = (await container.inspect()).State;
  const process = identify(pid) ?? GONE;
  const whole = { ...record, cgroup: process === GONE ? [] : groupsOf(pid, container.id) };
  rewriteRecord(folder, whole);
  noteProcess(folder, process);
  return { record: whole, process };
}

/**
 * Of one that ends in this moment the kernel names the group of all: only what bears the container's name is its own.
 */
function groupsOf(pid: number, containerId: string): Cgroup {
  try {
    return cgroupFoldersOf(pid).filter(({ path }) => path.includes(containerId));
  } catch {
    // Now it is gone.
    return [];
  }
}

/** It has ended already: no process has this start time. */
const GONE: ProcessIdentity = { pid: 0, startTime: 'gone' };

/** The platform's own files, for everybody to write: nobody but the instance is shown them (see the sandbox's). */
function makeOutput(spec: InstanceSpec, { outputs }: ContainerContext): string {
  const output = outputs.make({ instanceId: spec.id, ...spec });
  const { stdout, stderr } = outputFilesOf(output);
  for (const path of [stdout, stderr]) {
    closeSync(openSync(path, 'a', 0o600));
    // Who an image runs as may be of the group of root.
    chmodSync(path, spec.image ? 0o666 : 0o606);
  }
  return output;
}

function labelsOf(spec: InstanceSpec, { installation }: ContainerContext): Record<string, string> {
  return {
    [labelNames.installation]: installation,
    [labelNames.instance]: spec.id,
    [labelNames.organisation]: spec.organisationId,
    [labelNames.environment]: spec.environmentId,
    [labelNames.deployment]: spec.deploymentId,
  };
}

function tryWriting(record: InstanceRecord, { root, networks }: ContainerContext): boolean {
  try {
    return writeRecord(root, record);
  } catch (error) {
    networks.release(record.lease);
    throw error;
  }
}

/** Another process of the platform was faster: its instance is the one. */
function takeOver({ id, lease }: InstanceRecord, { root, networks }: ContainerContext): InstanceAddress {
  networks.release(lease);
  const theirs = readRecord(join(root, id))?.lease;
  if (!theirs) throw new Error(`${id} is being removed`);
  return { host: theirs.host, port: theirs.port };
}
