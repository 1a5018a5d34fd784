import type { ServerSpace } from '../../../engines/host/server-host.ts';
import { specOf } from '../spec-of.ts';
import { engineOf } from '../standby/in-step.ts';
import type { KeeperWorld } from './keeper-deps.ts';
import { writeFull } from './keeper-store.ts';
import { judgeStorage } from './storage.ts';
import { tellEvent } from '../tell-event.ts';
import { isDue, renew, type Ward } from './ward.ts';

/** Adding up sizes may take so much of the time, and no more. */
const LARGEST_SHARE = 20;

/**
 * Refuses writes before storage ends, and lets them in again when there is room. It waits for no job: an import that
 * fills the storage is one.
 */
export async function watchStorage(world: KeeperWorld, ward: Ward): Promise<void> {
  const { database, primary } = ward.pair;
  const isWatched = primary.is_made && database.status !== 'provisioning' && database.status !== 'deleting';
  if (!isWatched || !isDue(ward, 'space', 0)) return;
  const space = await measureSpace(world, ward);
  const isUp = engineOf(world, database).isRunning(primary.id) && ward.startingId !== primary.id;
  if (!space || !isUp) return;
  const verdict = judgeStorage(space);
  const isFull = verdict === 'unchanged' ? database.is_full : verdict === 'full';
  const isUnbraked = isFull && ward.brakedId !== primary.id;
  if (isFull !== database.is_full || isUnbraked || ward.mustTellWritable) await setFull(world, ward, isFull);
}

/** The server first: between the two, at worst a server refuses writes that the row allows, and is told again. */
export async function setFull(world: KeeperWorld, ward: Ward, isFull: boolean): Promise<void> {
  const { database, primary } = ward.pair;
  const spec = specOf(world.config, database, primary);
  await engineOf(world, database).setWritable(spec, !isFull);
  if (!isFull) await keepReserve(world, primary.id);
  ward.brakedId = isFull ? primary.id : null;
  ward.mustTellWritable = false;
  if (isFull === database.is_full) return;
  await world.store.db.transaction().execute(async (tx) => {
    const isNew = await writeFull(tx, ward.id, isFull);
    if (isNew) await tellEvent(tx, database, isFull ? 'database_full' : 'database_writable');
  });
  const about = { database: ward.id, ...ward.space };
  if (isFull) world.log.warn(about, 'the storage of a database is nearly used up; its writes are refused');
  else world.log.info(about, 'the storage of a database has room again; its writes are taken');
  renew(ward, { ...ward.pair, database: { ...ward.pair.database, is_full: isFull } });
}

async function keepReserve({ host }: KeeperWorld, serverId: string): Promise<void> {
  const place = await host.find(serverId);
  if (place) await host.keepReserve(place);
}

/** Measures the primary: the standby holds the same. */
export async function measureSpace(world: KeeperWorld, ward: Ward): Promise<ServerSpace | null> {
  const { host, timing } = world;
  const { database, primary } = ward.pair;
  // To find it anew is to see to its mounts as well, which those of a server that runs do not need.
  const isKnown = ward.place?.serverId === primary.id && engineOf(world, database).isRunning(primary.id);
  const place = isKnown ? ward.place : await host.find(primary.id);
  ward.place = place;
  if (!place) return null;
  const beganMs = performance.now();
  ward.space = await host.space(place);
  const tookMs = performance.now() - beganMs;
  if (ward.space.hardBytes === null) {
    ward.due.set('space', beganMs + Math.max(timing.folderSpaceMs, tookMs * LARGEST_SHARE));
  }
  return ward.space;
}
