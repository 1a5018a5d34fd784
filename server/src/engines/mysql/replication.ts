import { setTimeout as delay } from 'node:timers/promises';
import type { RowDataPacket } from 'mysql2/promise';
import { EngineRefused } from '../engine.ts';
import type { ServerHost, ServerPlace } from '../host/server-host.ts';
import { connectAsPlatform, type Session } from './connect.ts';
import { hasStepMark, readFollower, setStepMark, writeFollower } from './follower-record.ts';
import { sequenceOf } from './gtid.ts';
import { durability } from './settings.ts';

const FOLLOW_MS = 60_000;
const IN_STEP_MS = 10_000;
const APPLY_MS = 600_000;

/** What a standby says of itself. Null: it follows nobody. */
export interface FollowingState {
  isReceiving: boolean;
  isApplying: boolean;
  /** How far it has received, which survives the primary but not the standby's own end. */
  received: number;
  /** Of the primary's log, the file that it reads. */
  file: string;
  /** Why it does not go on; empty where nothing is wrong. */
  problem: string;
}

export async function followingState({ connection }: Session): Promise<FollowingState | null> {
  const [[row]] = await connection.query<RowDataPacket[]>('show slave status');
  if (!row) return null;
  return {
    isReceiving: row['Slave_IO_Running'] === 'Yes',
    isApplying: row['Slave_SQL_Running'] === 'Yes',
    received: sequenceOf(row['Gtid_IO_Pos'] as string),
    file: String(row['Master_Log_File'] ?? ''),
    problem: String(row['Last_SQL_Error'] || row['Last_IO_Error'] || ''),
  };
}

/** How far a primary has come. */
export async function writtenBy({ connection }: Session): Promise<number> {
  const [[row]] = await connection.query<RowDataPacket[]>('select @@global.gtid_binlog_pos as position');
  return sequenceOf(row?.['position'] as string);
}

/** Resolves when the standby has received all that the primary had done when this was asked. */
export async function untilFollowing(
  { primary, standby }: { primary: ServerPlace; standby: ServerPlace },
  { host, signal, withinMs = FOLLOW_MS }: { host: ServerHost; signal?: AbortSignal | undefined; withinMs?: number },
): Promise<void> {
  await using asked = await connectAsPlatform(primary.home);
  await using session = await connectAsPlatform(standby.home);
  const goal = await writtenBy(asked);
  const deadline = Date.now() + withinMs;
  for (;;) {
    signal?.throwIfAborted();
    const state = await followingState(session);
    if (state?.isReceiving && state.isApplying && state.received >= goal) return;
    if (!host.isRunning(standby.serverId))
      throw new EngineRefused('The standby ended before it followed; see its log.');
    if (Date.now() > deadline) {
      throw new EngineRefused(`The standby does not follow the primary: ${state?.problem || 'it is too slow'}`);
    }
    await delay(10);
  }
}

export interface Pair {
  host: ServerHost;
  primary: ServerPlace;
  standby: ServerPlace;
}

/**
 * Commits wait from the moment on at which it is switched on; the record says so only when the standby has caught up
 * with what was acknowledged before.
 */
export async function makeSynchronous({ host, primary, standby }: Pair): Promise<void> {
  await setWaiting(primary.home, true);
  try {
    await untilFollowing({ primary, standby }, { host, withinMs: IN_STEP_MS });
    await untilAnswering(primary.home);
  } catch (error) {
    await letGo(primary);
    throw error;
  }
  writeFollower(primary, { standbyId: standby.serverId, isSynchronous: true });
  setStepMark(standby, true);
}

/** Also those who wait now go on. */
export async function letGo(primary: ServerPlace): Promise<void> {
  writeFollower(primary, { ...readFollower(primary), isSynchronous: false });
  await setWaiting(primary.home, false);
}

async function setWaiting(home: string, isOn: boolean): Promise<void> {
  await using session = await connectAsPlatform(home);
  await session.connection.query(`set global rpl_semi_sync_master_enabled = ${isOn ? 'ON' : 'OFF'}`);
}

/** The standby must have told the primary that it will say what it has. */
async function untilAnswering(home: string): Promise<void> {
  await using session = await connectAsPlatform(home);
  const deadline = Date.now() + IN_STEP_MS;
  while (!(await waitsForStandby(session))) {
    if (Date.now() > deadline) throw new EngineRefused('The standby does not keep up with the primary.');
    await delay(10);
  }
}

/** Commits wait, and somebody is there to answer. */
async function waitsForStandby({ connection }: Session): Promise<boolean> {
  const [rows] = await connection.query<RowDataPacket[]>(
    "show global status where variable_name in ('Rpl_semi_sync_master_status', 'Rpl_semi_sync_master_clients')",
  );
  const status = new Map(rows.map((row) => [String(row['Variable_name']), String(row['Value'])]));
  return status.get('Rpl_semi_sync_master_status') === 'ON' && Number(status.get('Rpl_semi_sync_master_clients')) > 0;
}

/**
 * Commits never go on without the standby, so it has everything while it runs on since it was in step: that can be told
 * even of a primary that is dead.
 */
export async function isInStep({ host, primary, standby }: Pair): Promise<boolean> {
  const { standbyId, isSynchronous } = readFollower(primary);
  if (standbyId !== standby.serverId || !isSynchronous || !host.isRunning(standby.serverId)) return false;
  if (!host.isRunning(primary.serverId)) return hasStepMark(standby);
  await using asked = await connectAsPlatform(primary.home);
  await using session = await connectAsPlatform(standby.home);
  const written = await writtenBy(asked);
  const state = await followingState(session);
  if (!state?.isReceiving || !state.isApplying || !(await waitsForStandby(asked))) return false;
  await forgetReceived(asked, state.file);
  // What is written and not yet received is not yet acknowledged either, once it has been in step.
  if (!hasStepMark(standby)) setStepMark(standby, state.received >= written);
  return hasStepMark(standby);
}

/** What the standby has need not be kept, and counts towards the storage. */
async function forgetReceived({ connection }: Session, file: string): Promise<void> {
  if (file) await connection.query('purge binary logs to ?', [file]);
}

/**
 * The standby becomes a primary, with everything that it has received. Harmless when it is one already; whoever repeats
 * it goes on where it was left.
 */
export async function promote(place: ServerPlace): Promise<void> {
  await using session = await connectAsPlatform(place.home);
  const { connection } = session;
  if (await followingState(session)) {
    await connection.query('stop slave io_thread');
    await untilApplied(session);
    await connection.query('stop slave');
    await connection.query('reset slave all');
  }
  writeFollower(place, { standbyId: null, isSynchronous: false });
  const settings = {
    ...durability('primary'),
    'rpl-semi-sync-slave-enabled': 'OFF',
    'init-connect': "''",
    'read-only': 'OFF',
  };
  for (const [name, value] of Object.entries(settings)) {
    await connection.query(`set global ${name.replaceAll('-', '_')} = ${value}`);
  }
}

async function untilApplied(session: Session): Promise<void> {
  const deadline = Date.now() + APPLY_MS;
  for (;;) {
    const state = await followingState(session);
    const [[row]] = await session.connection.query<RowDataPacket[]>('select @@global.gtid_slave_pos as position');
    if (!state || sequenceOf(row?.['position'] as string) >= state.received) return;
    if (!state.isApplying) throw new EngineRefused(`The standby cannot be promoted: ${state.problem}`);
    if (Date.now() > deadline) throw new EngineRefused('The standby takes too long to catch up.');
    await delay(2);
  }
}
