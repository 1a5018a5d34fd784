import { randomBytes } from 'node:crypto';
import type { RowDataPacket } from 'mysql2/promise';
import { run } from '../../lib/exec.ts';
import { PROGRAM_PATH } from '../../sandbox/launch.ts';
import { EngineRefused } from '../engine.ts';
import type { ServerHost, ServerPlace } from '../host/server-host.ts';
import { clearHome, finishFiles } from '../files/make-files.ts';
import { readMark } from '../files/whole-mark.ts';
import type { ServerSpec } from '../server.ts';
import { confirmed } from './confirmed.ts';
import { connectAsPlatform } from './connect.ts';
import { readFollower, writeFollower } from './follower-record.ts';
import { nativeHash } from './native-password.ts';
import { REPLICATION_USER } from './owner-accounts.ts';
import { followingState, letGo, untilFollowing } from './replication.ts';
import { takeSnapshot } from './snapshot.ts';

/** Days: a large database takes long, and whoever waits can end it. */
const COPY_MS = 2_000_000_000;
const RESUME_MS = 10_000;

export interface StandbyWants {
  host: ServerHost;
  primary: ServerSpec;
  standby: ServerSpec;
  places: { primary: ServerPlace; standby: ServerPlace };
  start: (spec: ServerSpec, options?: { waitsToFollow?: boolean; signal?: AbortSignal | undefined }) => Promise<void>;
  stop: (serverId: string) => Promise<void>;
  certify: (place: ServerPlace) => Promise<void>;
  signal: AbortSignal | undefined;
}

/** One that is whole and can go on from where it was does so; any other is made from the very beginning. */
export async function createStandby(wants: StandbyWants): Promise<void> {
  const { host, primary, standby, places, start, signal } = wants;
  if (!host.isRunning(primary.id)) throw new EngineRefused('The primary of this database does not run.');
  await letBeFollowed(wants);
  if (await resumes(wants)) return;
  await host.kill(standby.id);
  await clearHome(places.standby);
  const follows = await copyPrimary(wants);
  await start(standby, { waitsToFollow: true, signal });
  await follow(places.standby.home, follows);
  await untilFollowing(places, { host, signal });
}

/**
 * A server that nobody follows keeps no log of what it does, which would make every commit dearer. It begins to with its
 * next start: that takes a moment, and only the first standby costs it.
 */
async function letBeFollowed({ primary, standby, places, start, stop }: StandbyWants): Promise<void> {
  // Somebody who gave up may have left it while it was starting.
  await start(primary);
  const follower = readFollower(places.primary);
  if (follower.standbyId !== standby.id) {
    if (follower.isSynchronous) await letGo(places.primary);
    writeFollower(places.primary, { standbyId: standby.id, isSynchronous: false });
  }
  if (await keepsLog(places.primary.home)) return;
  await stop(primary.id);
  await start(primary);
}

async function keepsLog(home: string): Promise<boolean> {
  await using session = await connectAsPlatform(home);
  const [[row]] = await session.connection.query<RowDataPacket[]>('select @@global.log_bin as kept');
  return Number(row?.['kept']) === 1;
}

async function resumes({ host, standby, places, start, signal }: StandbyWants): Promise<boolean> {
  if (!readMark(places.standby.home)) return false;
  try {
    await start(standby, { signal });
    if (!(await isFollowing(places.standby.home))) return false;
    await untilFollowing(places, { host, signal, withinMs: RESUME_MS });
    return true;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof EngineRefused) return false;
    throw error;
  }
}

async function isFollowing(home: string): Promise<boolean> {
  await using session = await connectAsPlatform(home);
  return (await followingState(session)) !== null;
}

interface Follows {
  port: number;
  password: string;
  position: string;
}

async function copyPrimary({ primary, standby, places, certify, signal }: StandbyWants): Promise<Follows> {
  const password = randomBytes(24).toString('hex');
  await confirmed(places.primary.home, async ({ connection }) => {
    await connection.query("create or replace user ?@'127.0.0.1' identified via mysql_native_password using ?", [
      REPLICATION_USER,
      nativeHash(password),
    ]);
    await connection.query("grant replication slave on *.* to ?@'127.0.0.1'", [REPLICATION_USER]);
  });
  const { position } = await copySnapshot(places, signal);
  await certify(places.standby);
  await finishFiles(places.standby, standby.version);
  return { port: primary.port, password, position };
}

async function copySnapshot({ primary, standby }: StandbyWants['places'], signal: AbortSignal | undefined) {
  await using snapshot = await takeSnapshot(primary, signal);
  await copyAll(snapshot.folder, standby.home, signal);
  return snapshot;
}

async function copyAll(from: string, to: string, signal: AbortSignal | undefined): Promise<void> {
  const { exitCode, stderr } = await run(['cp', '--recursive', '--preserve=mode', '--', `${from}/.`, to], {
    env: { PATH: PROGRAM_PATH },
    timeoutMs: COPY_MS,
    ...(signal && { signal }),
  });
  signal?.throwIfAborted();
  if (exitCode !== 0) throw new EngineRefused(`The files of the standby cannot be made: ${stderr.slice(-500)}`);
}

async function follow(home: string, { port, password, position }: Follows): Promise<void> {
  await using session = await connectAsPlatform(home);
  const { connection } = session;
  await connection.query('set global gtid_slave_pos = ?', [position]);
  await connection.query(
    `change master to master_host = '127.0.0.1', master_port = ?, master_user = ?, master_password = ?,
       master_use_gtid = slave_pos, master_connect_retry = 1, master_heartbeat_period = 2`,
    [port, REPLICATION_USER, password],
  );
  await connection.query('start slave');
}
