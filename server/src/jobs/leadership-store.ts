import { sql } from 'kysely';
import type { Db, Tx } from '../db/pool.ts';
import { letGoWhenFrozen } from '../db/store-client.ts';
import { requeueJob } from './claim-store.ts';
import { NotLeading, type LeadName } from './leadership.ts';
import type { LeadershipRow } from './may-lead.ts';
import type { WorkerSession } from './worker-session.ts';

/** Whoever leads holds a session lock of this class on the leadership's name. */
const LEADER_LOCK_CLASS = 0x6c_65_61;

/**
 * All leaderships by their names; one that nobody has ever had is not among them. Of one's own it need not be looked
 * whether anybody leads.
 */
export async function readLeaderships(
  session: WorkerSession,
  own: readonly LeadName[],
): Promise<Map<string, LeadershipRow>> {
  const rows = await session.query<LeadershipRow & { name: string }>(READ, [own]);
  return new Map(rows.map(({ name, ...row }) => [name, row]));
}

const IS_LOCKED = `exists (
    select 1 from pg_locks
    where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())
      and classid = ${LEADER_LOCK_CLASS}::oid and objid = hashtext(name)::oid and objsubid = 2
  )`;
const READ = `
  select name, term, worker, host, name = any ($1::text[]) or ${IS_LOCKED} as "isHeld" from leaderships`;

/** Whether this session has the lock now. Asked again by who has it already, it must be given back as often. */
export async function lockLeadership(session: WorkerSession, name: LeadName): Promise<boolean> {
  const rows = await session.query<{ held: boolean }>('select pg_try_advisory_lock($1, hashtext($2)) as held', [
    LEADER_LOCK_CLASS,
    name,
  ]);
  return rows[0]!.held;
}

export async function unlockLeadership(session: WorkerSession, name: LeadName): Promise<void> {
  await session.query('select pg_advisory_unlock($1, hashtext($2))', [LEADER_LOCK_CLASS, name]);
}

export interface NewLeader {
  name: LeadName;
  worker: string;
  host: string;
  /** What was the newest term when it was decided; null: there was none. */
  after: string | null;
}

/**
 * The new term; null where somebody else was the leader meanwhile. Waits for whatever the former leader is just
 * writing, which it may finish; afterwards nothing of it is taken.
 */
export async function beginTerm(session: WorkerSession, leader: NewLeader): Promise<string | null> {
  const { name, worker, host, after } = leader;
  const rows =
    after === null
      ? await session.query<{ term: string }>(FIRST_TERM, [name, worker, host])
      : await session.query<{ term: string }>(NEXT_TERM, [name, worker, host, after]);
  return rows[0]?.term ?? null;
}

const FIRST_TERM = `
  insert into leaderships (name, term, worker, host) values ($1, 1, $2, $3) on conflict do nothing returning term`;
const NEXT_TERM = `
  update leaderships set term = term + 1, worker = $2, host = $3, since = now()
  where name = $1 and term = $4 returning term`;

/** By itself: nobody need wait whether it comes back. */
export async function endTerm(session: WorkerSession, name: LeadName, term: string): Promise<void> {
  await session.query('update leaderships set worker = null where name = $1 and term = $2', [name, term]);
}

/** Keeps the leadership where it is until the transaction ends, or throws. */
export async function holdTerm(tx: Tx, name: LeadName, term: string | null): Promise<void> {
  const { rows } = await sql`
    select ${letGoWhenFrozen} from leaderships where name = ${name} and term = ${term}::bigint for share`.execute(tx);
  if (rows.length === 0) throw new NotLeading(`Another worker leads the ${name}.`);
}

/** Who leads takes over from who led, whose attempts come to nothing: their claims do not hold any more. */
export async function requeueJobsOfOthers(
  db: Db,
  { kinds, worker }: { kinds: readonly string[]; worker: string },
): Promise<void> {
  const { rows } = await sql<{ id: string; claim: string }>`
    select id, claim from jobs
    where state = 'running' and kind = any (${kinds}::text[]) and worker <> ${worker}`.execute(db);
  for (const claim of rows) {
    await requeueJob(db, claim, { error: 'The worker that led was lost.', delayMs: 0, isCounted: true });
  }
}

export interface LeadershipState extends LeadershipRow {
  name: string;
  since: Date;
}

export async function listLeaderships(db: Db): Promise<LeadershipState[]> {
  const { rows } = await sql<LeadershipState>`
    select name, term, worker, host, since, ${sql.raw(IS_LOCKED)} as "isHeld" from leaderships order by name`.execute(
    db,
  );
  return rows;
}

/**
 * Ends whoever leads and lets another host lead: the given one, or any. False where nobody has ever led.
 */
export async function moveLeadership(db: Db, name: LeadName, host: string | null): Promise<boolean> {
  const moved = await db
    .updateTable('leaderships')
    .set({ term: sql`term + 1`, worker: null, host })
    .where('name', '=', name)
    .executeTakeFirst();
  return moved.numUpdatedRows > 0n;
}
