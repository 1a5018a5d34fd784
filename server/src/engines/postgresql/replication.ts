import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { EngineRefused } from '../engine.ts';
import { connectAsPlatform } from './connect.ts';
import { reload } from './reload.ts';

const FOLLOW_MS = 60_000;
const IN_STEP_MS = 10_000;
const PROMOTE_MS = 60_000;

/** Resolves when the standby reads the primary's log as it is written. */
export async function untilFollowing(
  home: string,
  standbyId: string,
  { isRunning, signal }: { isRunning: () => boolean; signal?: AbortSignal | undefined },
): Promise<void> {
  await using session = await connectAsPlatform(home);
  const deadline = Date.now() + FOLLOW_MS;
  while ((await stateOf(session.client, standbyId))?.state !== 'streaming') {
    signal?.throwIfAborted();
    if (!isRunning()) throw new EngineRefused('The standby ended before it followed; see its log.');
    if (Date.now() > deadline) throw new EngineRefused('The standby does not follow the primary; see its log.');
    await delay(20);
  }
}

/** Whether commits wait for it, and it is there to answer. */
export async function isInStep(home: string, standbyId: string): Promise<boolean> {
  await using session = await connectAsPlatform(home);
  const state = await stateOf(session.client, standbyId);
  return state?.state === 'streaming' && state.sync_state === 'sync';
}

export async function setSynchronous(home: string, standbyId: string | null): Promise<void> {
  if (standbyId === null) return letGo(home);
  await using session = await connectAsPlatform(home);
  if ((await stateOf(session.client, standbyId))?.state !== 'streaming') {
    throw new EngineRefused('The standby does not follow the primary.');
  }
  await session.client.query(`alter system set synchronous_standby_names = 'FIRST 1 ("${standbyId}")'`);
  await reload(home);
  const deadline = Date.now() + IN_STEP_MS;
  while (!(await isInStep(home, standbyId))) {
    if (Date.now() > deadline) {
      await letGo(home);
      throw new EngineRefused('The standby does not keep up with the primary.');
    }
    await delay(10);
  }
  // Commits begin to wait when the checkpointer has read the settings, which it does before it makes a checkpoint.
  await session.client.query('checkpoint');
  await untilFlushed(session.client, standbyId, deadline);
}

/** What was acknowledged before commits began to wait is on its way: until it has arrived, the standby lacks something. */
async function untilFlushed(client: pg.Client, standbyId: string, deadline: number): Promise<void> {
  const { rows } = await client.query<{ goal: string }>('select pg_current_wal_flush_lsn()::text as goal');
  while (!(await hasFlushed(client, standbyId, rows[0]!.goal))) {
    if (Date.now() > deadline) throw new EngineRefused('The standby does not keep up with the primary.');
    await delay(10);
  }
}

async function hasFlushed(client: pg.Client, standbyId: string, goal: string): Promise<boolean> {
  const { rows } = await client.query<{ has: boolean }>(
    'select flush_lsn >= $2::pg_lsn as has from pg_stat_replication where application_name = $1',
    [standbyId, goal],
  );
  return rows[0]?.has ?? false;
}

/** Also those who wait now go on. */
async function letGo(home: string): Promise<void> {
  await using session = await connectAsPlatform(home);
  await session.client.query('alter system reset synchronous_standby_names');
  await reload(home);
}

/** Ends the standby's time as one. Harmless when it is a primary already. */
export async function promote(home: string): Promise<void> {
  await using session = await connectAsPlatform(home);
  const { client } = session;
  if (!(await isRecovering(client))) return;
  // It could wait by itself, but looks ten times a second only.
  await client.query('select pg_promote(false)');
  const deadline = Date.now() + PROMOTE_MS;
  while (await isRecovering(client)) {
    if (Date.now() > deadline) throw new EngineRefused('The standby could not be promoted; see its log.');
    await delay(5);
  }
}

async function isRecovering(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ recovering: boolean }>('select pg_is_in_recovery() as recovering');
  return rows[0]?.recovering ?? true;
}

async function stateOf(client: pg.Client, standbyId: string) {
  const { rows } = await client.query<{ state: string; sync_state: string }>(
    'select state, sync_state from pg_stat_replication where application_name = $1',
    [standbyId],
  );
  return rows[0] ?? null;
}
