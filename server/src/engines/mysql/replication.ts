import { setTimeout as delay } from 'node:timers/promises';
import type { RowDataPacket } from 'mysql2/promise';
import { EngineRefused } from '../engine.ts';
import type { ServerHost, ServerPlace } from '../host/server-host.ts';
import { connectAsPlatform, type Session } from './connect.ts';
import { readFollower, readStepMark, removeStepMark, writeFollower, writeStepMark } from './follower-record.ts';
import { sequenceOf } from './gtid.ts';
import { durability } from './settings.ts';

const FOLLOW_MS = 60_000;
const IN_STEP_MS = 10_000;
const APPLY_MS = 600_000;
const ANSWER_MS = 1000;

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
async function writtenBy({ connection }: Session): Promise<number> {
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
    const unanswered = await untilAnswering(primary.home);
    await untilFollowing({ primary, standby }, { host, withinMs: IN_STEP_MS });
    writeFollower(primary, { standbyId: standby.serverId, isSynchronous: true });
    writeStepMark(standby, unanswered);
  } catch (error) {
    await letGo(primary);
    throw error;
  }
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
async function untilAnswering(home: string): Promise<number> {
  await using session = await connectAsPlatform(home);
  const deadline = Date.now() + IN_STEP_MS;
  for (;;) {
    const { isWaiting, unanswered } = await waitingState(session);
    if (isWaiting) return unanswered;
    if (Date.now() > deadline) throw new EngineRefused('The standby does not keep up with the primary.');
    await delay(10);
  }
}

/** `isWaiting`: commits wait, and somebody is there to answer. */
async function waitingState({ connection }: Session): Promise<{ isWaiting: boolean; unanswered: number }> {
  const [rows] = await connection.query<RowDataPacket[]>("show global status like 'Rpl_semi_sync_master%'");
  const status = new Map(rows.map((row) => [String(row['Variable_name']), String(row['Value'])]));
  return {
    isWaiting:
      status.get('Rpl_semi_sync_master_status') === 'ON' && Number(status.get('Rpl_semi_sync_master_clients')) > 0,
    unanswered: Number(status.get('Rpl_semi_sync_master_no_tx')),
  };
}

/**
 * Commits do not go on without the standby, so it has everything while it runs on since it was in step: that can be told
 * even of a primary that is dead. But a customer may end the wait of a commit of his own (`kill query`), and then it
 * counts as done: after that the standby must have caught up once more.
 */
export async function isInStep({ host, primary, standby }: Pair): Promise<boolean> {
  const { standbyId, isSynchronous } = readFollower(primary);
  if (standbyId !== standby.serverId || !isSynchronous || !host.isRunning(standby.serverId)) return false;
  if (!host.isRunning(primary.serverId)) return readStepMark(standby) !== null;
  await using asked = await connectAsPlatform(primary.home);
  const { isWaiting, unanswered } = await waitingState(asked);
  const written = await writtenBy(asked);
  const state = await askStandby(standby.home);
  const hasAll = state !== null && state.received >= written;
  if (!hasAll && readStepMark(standby) !== unanswered) removeStepMark(standby);
  if (!isWaiting || !state?.isReceiving || !state.isApplying) return false;
  await forgetReceived(asked, state.file);
  if (hasAll) writeStepMark(standby, unanswered);
  return readStepMark(standby) !== null;
}

/** Null for one that hangs, as for one that follows nobody. */
async function askStandby(home: string): Promise<FollowingState | null> {
  try {
    await using session = await connectAsPlatform(home, { timeoutMs: ANSWER_MS });
    const timer = setTimeout(() => session.cut(), ANSWER_MS);
    try {
      return await followingState(session);
    } finally {
      clearTimeout(timer);
    }
  } catch {
    return null;
  }
}

/** What the standby has need not be kept, and counts towards the storage. */
async function forgetReceived({ connection }: Pick<Session, 'connection'>, file: string): Promise<void> {
  if (file) await connection.query('purge binary logs to ?', [file]);
}

const LEAST_LOG_BYTES = 512 * 1024 ** 2;
const LOG_SHARE = 0.2;

/**
 * What a standby that is away would need is kept for it, but not without end: it counts towards the storage. One that
 * has been away too long is made anew.
 */
export async function keepLogBounded({ connection }: Pick<Session, 'connection'>, storageBytes: number): Promise<void> {
  const [[row]] = await connection.query<RowDataPacket[]>('select @@global.log_bin as kept');
  if (Number(row?.['kept']) !== 1) return;
  const [logs] = await connection.query<RowDataPacket[]>('show binary logs');
  const most = Math.max(LEAST_LOG_BYTES, storageBytes * LOG_SHARE);
  let bytes = 0;
  // From the newest back: the first that is too much, and all before it, may go.
  const first = logs.findLastIndex((log) => (bytes += Number(log['File_size'])) > most);
  const kept = logs[first + 1];
  if (first !== -1 && kept) await forgetReceived({ connection }, String(kept['Log_name']));
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
