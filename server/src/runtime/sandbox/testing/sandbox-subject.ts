import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig, type Config } from '../../../config.ts';
import { silentLog } from '../../../lib/log.ts';
import { createLocalObjectStore } from '../../../objects/local/local-object-store.ts';
import { findCgroupFolders } from '../../../sandbox/cgroups/find-folders.ts';
import type { RuntimeSubject } from '../../conformance.ts';
import { createSandboxRuntime, type SandboxRuntime, type SandboxRuntimeDeps } from '../create-sandbox-runtime.ts';
import { createLoopbackNetworks } from './loopback-networks.ts';
import { packTree } from '../../testing/pack-tree.ts';
import { ownNode } from '../../testing/own-node.ts';

export interface SandboxSubject extends RuntimeSubject {
  home: string;
  deps: SandboxRuntimeDeps;
  create(): SandboxRuntime;
}

/** A home of the platform with an object store; instances share the machine's network unless told otherwise. */
export async function openSandboxSubject(
  given: Partial<SandboxRuntimeDeps> & { home?: string } = {},
): Promise<SandboxSubject> {
  const home = given.home ?? mkdtempSync(join(tmpdir(), 'lilac-runtime-'));
  const config = readConfig({ LILAC_HOME: home, LILAC_INSTANCE_SUBNET: '10.214.0.0/16' });
  const objects = createLocalObjectStore({
    root: join(home, 'objects'),
    signingKey: Buffer.alloc(32),
    publicUrl: new URL('http://lilac.test'),
  });
  const openNetworks = async () => createLoopbackNetworks(join(home, 'ports'));
  const deps: SandboxRuntimeDeps = { config, log: silentLog, objects, tools: ownNode, openNetworks, ...given };
  return {
    home,
    deps,
    objects: deps.objects,
    create: () => createSandboxRuntime(deps),
    pack: (files) => packTree(objects, files),
    remains: async (instanceId) => remainsOf(instanceId, config),
    [Symbol.asyncDispose]: async () => rmSync(home, { recursive: true, force: true }),
  };
}

/**
 * Processes by what their first one was told, groups, files and leases by their names; mounts go with the processes.
 */
function remainsOf(instanceId: string, config: Config): string[] {
  const groups = findCgroupFolders().flatMap(({ path }) => namesIn(path).map((name) => join(path, name)));
  const files = ['instances', 'ports'].flatMap((name) => namesIn(join(config.home, name)));
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  return [...groups, ...files, ...mounts].filter((name) => name.includes(instanceId));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
