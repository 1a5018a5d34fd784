import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import type { ServerPlace } from '../host/server-host.ts';
import type { ServerSpec } from '../server.ts';
import { copyRunning } from './base-copy.ts';
import { confirmed } from './confirmed.ts';
import { connectAsPlatform } from './connect.ts';
import { writeFollows } from './follows-record.ts';
import { REPLICATION_ROLE } from './host-based-access.ts';
import { clearHome, finishFiles } from '../files/make-files.ts';
import { dropSlots } from './slots.ts';

/** Before this series the functions had other names. */
const FIRST_WITH_SHORT_NAMES = 15;

/** As long as it is there, the server is nobody's primary; promotion takes it away. */
export const STANDBY_SIGNAL = 'standby.signal';

export interface StandbyCopy {
  primary: { spec: ServerSpec; place: ServerPlace };
  standby: { spec: ServerSpec; place: ServerPlace };
  signal?: AbortSignal;
}

/** Makes the files of a standby out of a primary that runs, from the very beginning. */
export async function copyStandby({ primary, standby, signal }: StandbyCopy): Promise<void> {
  const { place } = standby;
  await clearHome(place);
  const password = randomBytes(24).toString('hex');
  await ensureReplicationRole(primary.place.home, password);
  await using session = await connectAsPlatform(primary.place.home);
  const { client } = session;
  await dropSlots(client, () => true);
  await client.query('select pg_create_physical_replication_slot($1, true)', [standby.spec.id]);
  const label = await duringBackup(client, Number.parseInt(primary.spec.version, 10), () =>
    copyRunning(primary.place.home, place.home, signal),
  );
  writeFileSync(join(place.home, 'backup_label'), label, { mode: 0o600 });
  writeFileSync(join(place.home, 'postgresql.auto.conf'), '', { mode: 0o600 });
  writeFileSync(join(place.home, STANDBY_SIGNAL), '', { mode: 0o600 });
  writeFollows(place, {
    primaryId: primary.spec.id,
    primaryPort: primary.spec.port,
    password,
    connections: await countAllowed(client),
  });
  await finishFiles(place, standby.spec.version);
}

async function ensureReplicationRole(home: string, password: string): Promise<void> {
  await confirmed(home, async ({ client }) => {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [REPLICATION_ROLE]);
    await client.query(
      `${rowCount === 0 ? 'create' : 'alter'} role ${REPLICATION_ROLE} login replication password '${password}'`,
    );
  });
}

async function countAllowed(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>("select current_setting('max_connections')::int as count");
  return rows[0]?.count ?? 0;
}

/** Gives the label that the copy needs. The session must last: with it the backup ends. */
async function duringBackup(client: pg.Client, series: number, copy: () => Promise<void>): Promise<string> {
  const hasShortNames = series >= FIRST_WITH_SHORT_NAMES;
  await client.query(
    hasShortNames ? "select pg_backup_start('standby', true)" : "select pg_start_backup('standby', true, false)",
  );
  await copy();
  const { rows } = await client.query<{ labelfile: string }>(
    hasShortNames
      ? 'select labelfile from pg_backup_stop(false)'
      : 'select labelfile from pg_stop_backup(false, false)',
  );
  return rows[0]?.labelfile ?? '';
}
