import { isDeepStrictEqual } from 'node:util';
import { pathsOf, type Config } from '../../config.ts';
import type { Log } from '../../lib/log.ts';
import { installationId } from '../../runtime/network/names.ts';
import { planCgroup } from '../../sandbox/cgroups/cgroup.ts';
import { keepLogSmall } from '../../store/keep-log-small.ts';
import { withServices } from '../services/with-services.ts';
import { describeLacking, detectAbilities, lendHome, type HostAbilities } from './abilities.ts';
import { filesOf } from './place-files.ts';
import { listPlaces, type PlaceRecord } from './place-record.ts';
import { createPlaces } from './places.ts';
import { createProcesses, type HeldServer, type ServerFolder } from './processes.ts';
import { giveUpReserve, keepReserve } from './reserve.ts';
import type { PlaceWants, ServerHost, ServerPlace } from './server-host.ts';
import { socketFolderOf } from './socket-folder.ts';
import { measureSpace } from './space.ts';
import { sweepFolders } from './sweep-places.ts';
import { createTurns } from './turns.ts';
import { promisedBytes } from './volume-size.ts';

export interface ServerHostDeps {
  /** Without a runtime it is one that is no swarm. */
  config: Pick<Config, 'home'> & Partial<Pick<Config, 'runtime'>>;
  log: Log;
}

const TRIM_MS = 2000;

/**
 * Servers of databases on this machine, each on a volume of its own where that is possible: as processes, or, where the
 * runtime is a swarm, as services that are pinned to this machine.
 */
export function createServerHost({ config, log }: ServerHostDeps): ServerHost {
  const installation = installationId(config.home);
  const places = createPlaces({ root: pathsOf(config).databases, log, installation });
  const processes = withServices(createProcesses(), {
    runtime: config.runtime ?? null,
    root: () => places.root(),
    lendHome: async (use) => lendHome(places.root(), (await abilities()).hasVolumes, use),
    log,
  });
  const inTurn = createTurns();
  let detected: Promise<HostAbilities> | undefined;
  const abilities = () => (detected ??= detectAbilities({ folder: places.root(), log }));
  let timer: NodeJS.Timeout | undefined;

  const folderOf = (serverId: string): ServerFolder => ({ serverId, folder: places.folderOf(serverId) });
  const isRunning = (serverId: string): boolean => processes.runOf(folderOf(serverId)) !== null;

  /** Rejects for one that is not there: whoever has a place has one that was not removed. */
  function held(serverId: string): HeldServer {
    const record = places.record(serverId);
    if (!record) throw new Error(`there is no place for ${serverId}`);
    return { record, folder: places.folderOf(serverId) };
  }

  /** Where groups are put may have changed while it did not run: the platform was moved, or the machine restarted. */
  async function regrouped(serverId: string): Promise<HeldServer> {
    const server = held(serverId);
    const cgroup = planCgroup((await abilities()).cgroupFolders, `lilac-${installation}-${serverId}`);
    if (isDeepStrictEqual(cgroup, server.record.cgroup) || isRunning(serverId)) return server;
    await processes.kill(server, { isForGood: true });
    places.change({ ...server.record, cgroup });
    return held(serverId);
  }

  async function removeServer(record: PlaceRecord): Promise<void> {
    const { serverId } = record;
    if (!record.isGoing) places.change({ ...record, isGoing: true });
    await processes.kill({ record, folder: places.folderOf(serverId) }, { isForGood: true });
    await places.remove(serverId);
  }

  function trimLogs(): void {
    try {
      for (const serverId of listPlaces(places.root())) keepLogSmall(filesOf(places.folderOf(serverId)).log);
    } catch (error) {
      log.error({ err: error }, 'the logs of databases cannot be kept small');
    }
  }

  async function takePlace(serverId: string, wants: PlaceWants): Promise<ServerPlace> {
    const host = await abilities();
    const known = places.record(serverId);
    if (known?.isGoing) await removeServer(known);
    const there = known && !known.isGoing ? known : places.create(serverId, wants, host);
    if (there.databaseId !== wants.databaseId || there.type !== wants.type) {
      throw new Error(`${serverId} is a server of ${there.databaseId}`);
    }
    const { storageGb } = there.size;
    const record = { ...there, size: { ...wants.size, storageGb } };
    if (!isDeepStrictEqual(record, there)) places.change(record);
    const place = await places.complete(record);
    if (wants.size.storageGb > storageGb) await places.grow(held(serverId).record, wants.size.storageGb);
    return place;
  }

  return {
    take(serverId, wants) {
      assertName(serverId);
      return inTurn(serverId, () => takePlace(serverId, wants));
    },
    find: (serverId) =>
      inTurn(serverId, async () => {
        const record = places.record(serverId);
        return record && !record.isGoing ? places.reopen(record) : null;
      }),
    list: (type) =>
      places
        .records()
        .filter((record) => record.type === type)
        .map(({ serverId }) => serverId),
    databaseOf: (serverId) => places.record(serverId)?.databaseId ?? null,
    async launch({ serverId }, program) {
      await processes.launch(await regrouped(serverId), program, (await abilities()).setpriv);
    },
    run: async ({ serverId }, program) =>
      processes.run(await regrouped(serverId), program, (await abilities()).setpriv),
    isRunning,
    runOf: (serverId) => processes.runOf(folderOf(serverId)),
    async end(serverId, steps) {
      if (places.record(serverId)) await processes.end(held(serverId), steps);
    },
    async kill(serverId) {
      if (places.record(serverId)) await processes.kill(held(serverId));
    },
    onExit: processes.onExit,
    setLimits({ serverId }, { memoryMb, cpus }) {
      const { record, folder } = held(serverId);
      const limited = { ...record, size: { ...record.size, memoryMb, cpus } };
      places.change(limited);
      if (isRunning(serverId)) processes.setLimits({ record: limited, folder });
    },
    usage: async ({ serverId }) => processes.usage(held(serverId)),
    async space({ serverId }) {
      const { record, folder } = held(serverId);
      const measured = await measureSpace(folder, record.volume);
      return { ...measured, promisedBytes: promisedBytes(record.size.storageGb) };
    },
    grow: (serverId, storageGb) =>
      inTurn(serverId, async () => {
        await places.grow(held(serverId).record, storageGb);
      }),
    giveUpReserve: ({ folder, serverId }) => onVolume(held(serverId), () => giveUpReserve(folder)),
    keepReserve: ({ folder, serverId }) => onVolume(held(serverId), () => keepReserve(folder)),
    putAway: (serverId) =>
      inTurn(serverId, async () => {
        if (!places.record(serverId) || isRunning(serverId)) return false;
        await processes.kill(held(serverId), { isForGood: true });
        return places.putAway(serverId);
      }),
    remove: (serverId) =>
      inTurn(serverId, async () => {
        const record = places.record(serverId);
        if (record) await removeServer(record);
      }),
    socketFolder: (serverId) => socketFolderOf(places.folderOf(serverId)),
    lacking: async () => [...describeLacking(await abilities()), ...(await processes.lacking())],
    async open() {
      await abilities();
      await sweepFolders(places.root(), config.home);
      await processes.open(listPlaces(places.root()).map(folderOf));
      for (const record of places.records()) {
        try {
          if (record.isGoing) await removeServer(record);
          else await processes.adopt({ record, folder: places.folderOf(record.serverId) });
        } catch (error) {
          log.error({ err: error, server: record.serverId }, 'the server of a database cannot be looked after');
        }
      }
      timer ??= setInterval(trimLogs, TRIM_MS).unref();
    },
    async close() {
      clearInterval(timer);
      timer = undefined;
      processes.close();
    },
  };
}

function assertName(serverId: string): void {
  if (!/^[a-z0-9_]+$/.test(serverId)) throw new Error(`${serverId} is no name for a server`);
}

/** A plain folder has no end, and so no need of a reserve in front of it. */
async function onVolume({ record }: HeldServer, work: () => Promise<void>): Promise<void> {
  if (record.volume.kind === 'image') await work();
}
