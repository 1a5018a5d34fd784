import { connectAsPlatform } from './connect.ts';
import { endWriters } from './end-sessions.ts';
import { reload } from './reload.ts';

/**
 * New transactions only read, unless they say otherwise: whoever frees space begins with
 * `set default_transaction_read_only = off`, then drops or truncates what is not needed. The end of the volume is
 * behind this brake, so nothing is lost with somebody who writes on all the same.
 */
export async function setBrake(home: string, isOn: boolean): Promise<void> {
  await using session = await connectAsPlatform(home);
  const { client } = session;
  await client.query(
    `alter system ${isOn ? "set default_transaction_read_only = 'on'" : 'reset default_transaction_read_only'}`,
  );
  await reload(home);
  if (!isOn) return;
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now');
  await endWriters(client, rows[0]?.now ?? new Date());
}
