import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { environmentForRoles, pathsOf, type Config } from '../../config.ts';
import type { Log } from '../../lib/log.ts';
import { once } from '../../lib/once.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import { createSandbox } from '../../sandbox/create-sandbox.ts';
import type { ToolSource } from '../tools.ts';
import { careForProcesses } from './care-for-processes.ts';
import { detectHost } from './detect-host.ts';
import { createHeldRuntime, type HeldRuntime } from '../held/create-held-runtime.ts';
import { InstanceKeeper, type ExitListener } from '../held/instance-keeper.ts';
import { listNames, readRecord } from '../held/instance-record.ts';
import type { InstanceNetworks } from '../instance-networks.ts';
import { openInstanceNetworks, type InstanceNetworksDeps } from '../network/open-instance-networks.ts';
import { InstanceOutputs } from '../output/instance-outputs.ts';
import { createSettingsCopy } from './settings-copy.ts';
import { createSlugCache, type SlugCache } from '../slugs/slug-cache.ts';
import { createUnpacker } from '../slugs/unpack-slug.ts';
import { startInstance } from './start-instance.ts';

export interface SandboxRuntimeDeps {
  config: Config;
  log: Log;
  objects: ObjectStore;
  tools: ToolSource;
  /** Where programs of the system are looked for; the platform's own where it is left out. */
  searchPath?: string;
  openNetworks?: (deps: InstanceNetworksDeps) => Promise<InstanceNetworks>;
}

export interface SandboxRuntime extends HeldRuntime {
  slugs: SlugCache;
}

/** Instances as processes of this machine, each in a sandbox. */
export function createSandboxRuntime(deps: SandboxRuntimeDeps): SandboxRuntime {
  const { config, log, objects, openNetworks = openInstanceNetworks } = deps;
  const { instances: root, outputs: outputRoot, slugs: slugRoot } = pathsOf(config);
  const inUse = (name: 'artifactId' | 'settings') =>
    new Set(listNames(root).flatMap((id) => readRecord(join(root, id))?.[name] ?? []));
  const slugs = createSlugCache({
    root: slugRoot,
    log,
    unpack: createUnpacker({ objects, sandbox: createSandbox({ config, log }) }),
    inUse: () => inUse('artifactId'),
  });
  const settings = createSettingsCopy(root);
  const outputs = new InstanceOutputs({ root: outputRoot, log });
  const stage = join(root, '.stage');
  const installation = createHash('sha256').update(config.home).digest('hex').slice(0, 8);
  const detect = once(() => detectHost({ folder: root, path: deps.searchPath ?? environmentForRoles(config).PATH }));
  const networks = once(() => openNetworks({ config, log }));
  const keeperOf = once(
    async () => new InstanceKeeper({ root, log, care: careForProcesses(await networks()), outputs, listeners }),
  );
  const listeners = new Set<ExitListener>();
  const held = createHeldRuntime({
    outputs,
    keeper: keeperOf,
    listeners,
    async start(spec, keeper) {
      const given = { tools: deps.tools, networks: await networks(), host: await detect() };
      return startInstance(spec, { ...given, root, stage, installation, slugs, settings, outputs, keeper });
    },
    async open(keeper) {
      mkdirSync(stage, { recursive: true, mode: 0o700 });
      await detect();
      await keeper.open();
      await slugs.evict();
      await settings.sweep(inUse('settings'));
      await settings.current();
    },
    setDoors: async (doors) => (await networks()).setDoors(doors),
    network: async () => (await networks()).network(),
    async isolation() {
      return { name: 'sandbox', lacking: [...(await detect()).lacking, ...(await (await networks()).lacking())] };
    },
  });
  return { ...held, slugs };
}
