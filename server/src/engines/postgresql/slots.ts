import type pg from 'pg';

/** A slot lets the primary keep what its standby has not read yet, and bears the standby's name. */
export async function dropSlots(client: pg.Client, isMeant: (name: string) => boolean): Promise<void> {
  const { rows } = await client.query<{ slot_name: string; active_pid: number | null }>(
    `select slot_name, active_pid from pg_replication_slots where slot_type = 'physical'`,
  );
  for (const { slot_name: name, active_pid: pid } of rows.filter((row) => isMeant(row.slot_name))) {
    if (pid !== null) await client.query('select pg_terminate_backend($1, 5000)', [pid]);
    await client.query('select pg_drop_replication_slot($1)', [name]);
  }
}

/** Whether the primary still has everything that the standby needs to go on. */
export async function canResume(client: pg.Client, standbyId: string): Promise<boolean> {
  const { rows } = await client.query<{ wal_status: string | null }>(
    'select wal_status from pg_replication_slots where slot_name = $1',
    [standbyId],
  );
  return rows[0] !== undefined && rows[0].wal_status !== 'lost';
}
