import type Docker from 'dockerode';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../lib/log.ts';
import { tryEach } from '../../lib/try-each.ts';
import { removeTree } from '../../lib/remove-tree.ts';
import { removeCgroup } from '../../sandbox/cgroups/cgroup.ts';
import type { InstanceCare } from '../held/instance-care.ts';
import type { InstanceRecord } from '../held/instance-record.ts';
import { listenersOf } from '../network/listening-sockets.ts';
import { noteEnd } from './container-ends.ts';
import { containerName } from './container-options.ts';
import type { DockerNetworks } from './docker-networks.ts';
import { isAway, isConflict, isNotFound } from './engine-errors.ts';
import { unmountStage } from './mount-stage.ts';
import { labelNames } from './network-book.ts';

export interface ContainerCareDeps {
  engine: Docker;
  /** Of this platform, among all that use the engine. */
  installation: string;
  networks: Pick<DockerNetworks, 'release' | 'open' | 'note'>;
  log: Log;
}

const AWAY = 'the engine of Docker is away: instances run on if it lets them, and none can be started';

/** Instances that are containers: what the engine has of them, and what was mounted for them. */
export function careForContainers({ engine, installation, networks, log }: ContainerCareDeps): InstanceCare {
  /** Containers that belong to nothing: whoever asked for them was killed. */
  async function removeStrangers(held: () => readonly InstanceRecord[]): Promise<void> {
    const names = await listContainers(engine, installation);
    const wanted = new Set(held().map(({ id }) => containerName(id)));
    await tryEach(
      names.filter((name) => !wanted.has(name)),
      (name) => removeContainer(engine, name),
    );
  }

  return {
    // Its own only: in the same network the engine itself listens, to resolve names.
    listeners: async (_held, pids) => listenersOf(pids),
    noteEnd: (held) => noteEnd(engine, held),
    async clearAway({ record, folder }) {
      // First what only we can take back: the engine may take its time, and whoever is killed meanwhile leaves no
      // mount.
      await unmountStage(folder);
      await removeContainer(engine, containerName(record.id));
      // The engine has removed its own; one that was no container has another.
      await removeCgroup(record.cgroup);
      networks.release(record.lease);
      await removeTree(folder);
    },
    async sweep(held) {
      networks.note(held().map(({ lease }) => lease));
      try {
        await networks.open();
        await removeStrangers(held);
      } catch (error) {
        if (!isAway(error)) throw error;
        log.error({ err: error }, AWAY);
      }
    },
  };
}

async function listContainers(engine: Docker, installation: string): Promise<string[]> {
  const label = [`${labelNames.installation}=${installation}`];
  const found = await engine.listContainers({ all: true, filters: { label } });
  return found.flatMap(({ Names }) => Names[0]?.slice(1) ?? []);
}

const PATIENCE_MS = 60_000;
const AGAIN_MS = 50;

/** Also where somebody else is removing it, or the engine is being restarted: then it is waited for. */
export async function removeContainer(engine: Docker, name: string): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await delay(AGAIN_MS)) {
    try {
      return void (await engine.getContainer(name).remove({ force: true, v: true }));
    } catch (error) {
      if (isNotFound(error)) return;
      if ((!isConflict(error) && !isAway(error)) || Date.now() > deadline) throw error;
    }
  }
}
