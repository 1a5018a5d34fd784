import { chmodSync, chownSync, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../lib/log.ts';
import { removeTree } from '../../lib/remove-tree.ts';
import { planCgroup } from '../../sandbox/cgroups/cgroup.ts';
import type { HostAbilities } from './abilities.ts';
import { growVolume, isInUse, isMounted, makeImage, mountVolume, unmountVolume } from './image-volume.ts';
import { ownTree } from './own-tree.ts';
import { filesOf } from './place-files.ts';
import {
  changeRecord,
  createRecord,
  listPlaces,
  readRecord,
  setAside,
  type PlaceRecord,
  type VolumeRecord,
} from './place-record.ts';
import { refuseStorage } from './refuse-storage.ts';
import { keepReserve } from './reserve.ts';
import type { PlaceWants, ServerPlace } from './server-host.ts';
import { readRange, uidFor } from './users.ts';
import { takenBytes } from './space.ts';
import { emptyBytesGrown, imageBytes, storageWithin } from './volume-size.ts';

/** The files of servers: their folders, records and volumes. It knows nothing of processes. */
export interface Places {
  /** LILAC_HOME/databases, as the kernel names it. */
  root(): string;
  folderOf(serverId: string): string;
  record(serverId: string): PlaceRecord | null;
  records(): PlaceRecord[];
  change(record: PlaceRecord): void;
  create(serverId: string, wants: PlaceWants, abilities: HostAbilities): PlaceRecord;
  /** Makes of a record what is not there yet: the volume, the home. `EngineRefused` where there is no room for it. */
  complete(record: PlaceRecord): Promise<ServerPlace>;
  /** Null when it never was complete. */
  reopen(record: PlaceRecord): Promise<ServerPlace | null>;
  /** More storage, never less. `EngineRefused` where this machine cannot: all is then as it was. */
  grow(record: PlaceRecord, storageGb: number): Promise<PlaceRecord>;
  /** True where it was mounted. */
  putAway(serverId: string): Promise<boolean>;
  remove(serverId: string): Promise<void>;
}

export interface PlacesDeps {
  root: string;
  log: Log;
  /** Tells what belongs to this installation from what belongs to another. */
  installation: string;
}

export function createPlaces({ root: wantedRoot, log, installation }: PlacesDeps): Places {
  let resolved: string | undefined;
  const root = () => (resolved ??= resolveFolder(wantedRoot));
  const folderOf = (serverId: string) => join(root(), serverId);
  const change = (record: PlaceRecord) => changeRecord(root(), record);

  const records = () =>
    listPlaces(root()).flatMap((serverId) => {
      try {
        return readRecord(root(), serverId) ?? [];
      } catch (error) {
        log.error({ err: error, server: serverId }, 'the place of a database is not understood');
        return [];
      }
    });

  async function openVolume(record: PlaceRecord): Promise<PlaceRecord> {
    if (record.volume.kind === 'folder') return record;
    await mountVolume(folderOf(record.serverId));
    const storageGb = storageWithin(record.volume.bytes);
    if (record.size.storageGb <= storageGb) return record;
    // Whoever wants more asks for it. That there is less than somebody once wrote down is no reason to have nothing.
    const { serverId, size } = record;
    log.warn({ server: serverId, promisedGb: size.storageGb, storageGb }, 'a volume is smaller than its record says');
    const honest = { ...record, size: { ...size, storageGb } };
    change(honest);
    return honest;
  }

  /** The promise is written down when it is kept: a machine that cannot leaves all as it was. */
  async function grow(record: PlaceRecord, storageGb: number): Promise<PlaceRecord> {
    const opened = await openVolume(record);
    if (storageGb <= opened.size.storageGb) return opened;
    const volume = await growTo(opened, imageBytes(storageGb)).catch((error: unknown) => {
      throw refuseStorage(storageGb, error);
    });
    // Its limits may have been changed meanwhile.
    const { size, ...rest } = readRecord(root(), record.serverId) ?? opened;
    const grown = { ...rest, size: { ...size, storageGb }, volume };
    change(grown);
    return grown;
  }

  async function growTo({ serverId, volume }: PlaceRecord, bytes: number): Promise<VolumeRecord> {
    if (volume.kind === 'folder' || bytes <= volume.bytes) return volume;
    await growVolume(folderOf(serverId), bytes);
    return { ...volume, bytes, emptyBytes: emptyBytesGrown(volume, bytes) };
  }

  async function ensureImage({ serverId, size, volume }: PlaceRecord): Promise<void> {
    const folder = folderOf(serverId);
    if (volume.kind === 'folder' || existsSync(filesOf(folder).image)) return;
    await makeImage(folder, volume.bytes).catch((error: unknown) => {
      throw refuseStorage(size.storageGb, error);
    });
  }

  return {
    root,
    folderOf,
    record: (serverId) => readRecord(root(), serverId),
    records,
    change,
    create(serverId, { type, databaseId, size }, { isRoot, hasVolumes, cgroupFolders }) {
      const uid = isRoot ? uidFor(databaseId, { installation, owners: records(), range: readRange() }) : null;
      const volume: VolumeRecord = hasVolumes
        ? { kind: 'image', bytes: imageBytes(size.storageGb), emptyBytes: 0 }
        : { kind: 'folder' };
      const cgroup = planCgroup(cgroupFolders, `lilac-${installation}-${serverId}`);
      const record = { version: 1, serverId, type, databaseId, uid, size, volume, cgroup, isGoing: false } as const;
      createRecord(root(), record);
      return record;
    },
    async complete(record) {
      const folder = folderOf(record.serverId);
      const files = filesOf(folder);
      await ensureImage(record);
      const opened = await openVolume(record);
      if (!existsSync(files.home)) {
        if (opened.volume.kind === 'image') {
          change({ ...opened, volume: { ...opened.volume, emptyBytes: await takenBytes(files.volume) } });
          await keepReserve(folder);
          chmodSync(files.volume, 0o711);
        }
        mkdirSync(files.home, { recursive: true, mode: 0o700 });
      }
      giveHome(files.home, record.uid);
      return describePlace(folder, opened);
    },
    async reopen(record) {
      const folder = folderOf(record.serverId);
      const { image, home } = filesOf(folder);
      if (record.volume.kind === 'image' && !existsSync(image)) return null;
      const opened = await openVolume(record);
      if (!existsSync(home)) return null;
      giveHome(home, record.uid);
      return describePlace(folder, opened);
    },
    grow,
    async putAway(serverId) {
      const folder = folderOf(serverId);
      if (!isMounted(folder)) return false;
      await unmountVolume(folder);
      return true;
    },
    async remove(serverId) {
      const folder = folderOf(serverId);
      if (!existsSync(folder)) return;
      // Whoever else has the volume mounted, in a namespace that does not hear of ours, is left with little.
      if (isInUse(folder)) await removeTree(filesOf(folder).home);
      await unmountVolume(folder);
      await removeTree(setAside(root(), serverId));
    },
  };
}

/** What lies aside, or was never finished. */
export async function clearFolder(folder: string): Promise<void> {
  await unmountVolume(folder);
  await removeTree(folder);
}

function giveHome(home: string, uid: number | null): void {
  if (uid !== null && statSync(home).uid !== uid) chownSync(home, uid, uid);
}

function describePlace(folder: string, { serverId, type, databaseId, uid }: PlaceRecord): ServerPlace {
  const { home, log: logFile } = filesOf(folder);
  return {
    serverId,
    type,
    databaseId,
    folder,
    home,
    innerHome: uid === null ? home : '/proc/self/cwd',
    logFile,
    uid,
    own(path) {
      if (uid !== null) ownTree(path, uid);
    },
  };
}

function resolveFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return realpathSync(path);
}
