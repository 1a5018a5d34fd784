import pg from 'pg';
import { connectionOf, type StoreAddress } from '../db/pool.ts';

export interface StoreFacts {
  /** `18.4` */
  version: string;
  majorVersion: number;
  now: Date;
}

const CONNECT_TIMEOUT_MS = 5000;

/** One short connection; rejects soon when nobody answers. */
export async function readStoreFacts(address: StoreAddress): Promise<StoreFacts> {
  const client = new pg.Client({
    ...connectionOf(address),
    application_name: 'lilac operator',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string; number: number; now: Date }>(
      `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
        clock_timestamp() as now`,
    );
    const { version, number, now } = rows[0]!;
    return { version: version.split(' ', 1)[0]!, majorVersion: Math.floor(number / 10_000), now };
  } finally {
    await client.end().catch(() => {});
  }
}
