import { createSemaphore } from '../../../lib/semaphore.ts';
import { sizeOf } from '../database.ts';
import { specOf } from '../spec-of.ts';
import { engineOf } from '../standby/in-step.ts';
import type { KeeperWorld } from './keeper-deps.ts';
import { deleteMinutesBefore, writeMinute } from './minutes-store.ts';
import type { Ward } from './ward.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The longest range that can be asked for, and a day. */
const KEPT_MS = 8 * DAY_MS;
const PURGE_MS = 3_600_000;
const AT_A_TIME = 4;

/** Writes down once in every minute what each database uses. */
export function createMinuteRecorder(world: KeeperWorld): (wards: Iterable<Ward>) => Promise<void> {
  const turns = createSemaphore(AT_A_TIME);
  let lastMinute = -1;
  let purgedMs = -Infinity;
  return async (wards) => {
    const nowMs = world.clock.now().getTime();
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute === lastMinute) return;
    lastMinute = minute;
    await Promise.all([...wards].map((ward) => turns.run(() => record(world, ward, new Date(minute * MINUTE_MS)))));
    if (nowMs - purgedMs < PURGE_MS) return;
    purgedMs = nowMs;
    await deleteMinutesBefore(world.store.db, new Date(nowMs - KEPT_MS));
  };
}

async function record(world: KeeperWorld, ward: Ward, minute: Date): Promise<void> {
  const { database, primary } = ward.pair;
  const engine = engineOf(world, database);
  if (!primary.is_made || !engine.isRunning(primary.id)) return;
  try {
    const { cpuSeconds, ...used } = await engine.usage(specOf(world.config, database, primary));
    const cpu = percentOf(ward, { cpuSeconds, cpus: sizeOf(database).cpus });
    await writeMinute(world.store.db, { databaseId: ward.id, minute, cpu, ...used });
  } catch (error) {
    // A step without a point was not measured; that is what it means.
    world.log.debug({ err: error, database: ward.id }, 'the use of a database could not be measured');
  }
}

/** Of what the tier gives, since the last measurement. */
function percentOf(ward: Ward, { cpuSeconds, cpus }: { cpuSeconds: number; cpus: number }): number | null {
  const serverId = ward.pair.primary.id;
  const [before, atMs] = [ward.cpu, performance.now()];
  ward.cpu = { serverId, seconds: cpuSeconds, atMs };
  if (before?.serverId !== serverId || atMs <= before.atMs) return null;
  // Less than before: it was restarted in between, and counts from nothing.
  const used = cpuSeconds >= before.seconds ? cpuSeconds - before.seconds : cpuSeconds;
  return (used / ((atMs - before.atMs) / 1000) / cpus) * 100;
}
