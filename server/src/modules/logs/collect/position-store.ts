import { sql } from 'kysely';
import type { Db, Tx } from '../../../db/pool.ts';
import type { OutputPosition } from '../../../runtime/runtime.ts';

/** How far the output of each is stored; nothing for one of which nothing is. */
export async function readPositions(db: Db, instanceIds: readonly string[]): Promise<Map<string, OutputPosition>> {
  const rows = await db.selectFrom('log_positions').selectAll().where('instance_id', 'in', instanceIds).execute();
  return new Map(
    rows.map(({ instance_id, stdout, stderr }) => [instance_id, { stdout: Number(stdout), stderr: Number(stderr) }]),
  );
}

export interface MovedPosition {
  instanceId: string;
  environmentId: string;
  from: OutputPosition | null;
  to: OutputPosition;
}

/** Somebody else has stored what we are about to store: another worker, or we ourselves without having been told. */
class PositionsMoved extends Error {}

/** In the transaction that stores the lines. Rejects when one of them is not where it was. */
export async function movePositions(tx: Tx, moves: readonly MovedPosition[]): Promise<void> {
  const isFirst = ({ from }: MovedPosition) => from === null;
  const moved = await updatePositions(
    tx,
    moves.filter((move) => !isFirst(move)),
  );
  const begun = await insertPositions(tx, moves.filter(isFirst));
  if (moved + begun !== moves.length) throw new PositionsMoved('the output of an instance was stored by somebody else');
}

async function updatePositions(tx: Tx, moves: readonly MovedPosition[]): Promise<number> {
  if (moves.length === 0) return 0;
  const { numAffectedRows } = await sql`
    update log_positions p set stdout = m.stdout, stderr = m.stderr
    from unnest(
      ${moves.map(({ instanceId }) => instanceId)}::text[],
      ${moves.map(({ from }) => from?.stdout)}::bigint[], ${moves.map(({ from }) => from?.stderr)}::bigint[],
      ${moves.map(({ to }) => to.stdout)}::bigint[], ${moves.map(({ to }) => to.stderr)}::bigint[]
    ) as m (instance_id, from_stdout, from_stderr, stdout, stderr)
    where p.instance_id = m.instance_id and p.stdout = m.from_stdout and p.stderr = m.from_stderr`.execute(tx);
  return Number(numAffectedRows);
}

async function insertPositions(tx: Tx, moves: readonly MovedPosition[]): Promise<number> {
  if (moves.length === 0) return 0;
  const values = moves.map(({ instanceId, environmentId, to }) => ({
    instance_id: instanceId,
    environment_id: environmentId,
    ...to,
  }));
  const inserted = await tx
    .insertInto('log_positions')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(inserted.numInsertedOrUpdatedRows);
}

/** Once the output itself is gone. */
export async function deletePositions(db: Db, instanceIds: readonly string[]): Promise<void> {
  await db.deleteFrom('log_positions').where('instance_id', 'in', instanceIds).execute();
}
