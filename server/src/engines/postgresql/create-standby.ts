import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EngineRefused } from '../engine.ts';
import type { ServerHost, ServerPlace } from '../host/server-host.ts';
import type { ServerSpec } from '../server.ts';
import { connectAsPlatform } from './connect.ts';
import { readFollows } from './follows-record.ts';
import { untilFollowing } from './replication.ts';
import { releaseSharedMemory } from './shared-memory.ts';
import { canResume } from './slots.ts';
import { copyStandby, STANDBY_SIGNAL } from './standby-copy.ts';
import { readMark } from '../files/whole-mark.ts';

export interface StandbyWants {
  host: ServerHost;
  primary: ServerSpec;
  standby: ServerSpec;
  places: { primary: ServerPlace; standby: ServerPlace };
  start: (spec: ServerSpec, signal?: AbortSignal) => Promise<void>;
  signal: AbortSignal | undefined;
}

/** One that is whole and can go on from where it was does so; any other is made from the very beginning. */
export async function createStandby(wants: StandbyWants): Promise<void> {
  const { host, primary, standby, places, start, signal } = wants;
  if (!host.isRunning(primary.id)) throw new EngineRefused('The primary of this database does not run.');
  assertNoPrimary(places.standby);
  if (!(await isUsable(wants))) {
    await host.kill(standby.id);
    await releaseSharedMemory(places.standby);
    await copyStandby({
      primary: { spec: primary, place: places.primary },
      standby: { spec: standby, place: places.standby },
      ...(signal && { signal }),
    });
  }
  await start(standby, signal);
  const isRunning = () => host.isRunning(standby.id);
  await untilFollowing(places.primary.home, standby.id, { isRunning, signal });
}

/** One that was promoted has what nobody else has: it is not made over. */
function assertNoPrimary({ serverId, home }: ServerPlace): void {
  if (!readMark(home) || existsSync(join(home, STANDBY_SIGNAL))) return;
  throw new EngineRefused(`The server ${serverId} is a primary, and is not made a standby.`);
}

async function isUsable({ primary, standby, places }: StandbyWants): Promise<boolean> {
  if (!readMark(places.standby.home) || readFollows(places.standby)?.primaryId !== primary.id) return false;
  await using session = await connectAsPlatform(places.primary.home);
  return await canResume(session.client, standby.id);
}
