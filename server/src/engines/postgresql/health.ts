import type { ServerHealth } from '../engine.ts';
import { withinTime } from '../within-time.ts';
import { connectAsPlatform } from './connect.ts';
import { OWN_ROLES } from './host-based-access.ts';

/**
 * Nothing is written to find out: a PostgreSQL that cannot write its log of transactions ends by itself.
 */
export async function readHealth(home: string, timeoutMs: number): Promise<ServerHealth | 'crowded'> {
  try {
    return await withinTime({ timeoutMs, name: 'PostgreSQL' }, (signal) => ask(home, timeoutMs, signal));
  } catch (error) {
    if (isCrowded(error)) return 'crowded';
    throw error;
  }
}

async function ask(home: string, timeoutMs: number, signal: AbortSignal): Promise<ServerHealth> {
  // The brake is to be seen, so it is not taken off for this session.
  await using session = await connectAsPlatform(home, 'postgres', {
    timeoutMs,
    settings: { default_transaction_read_only: null },
  });
  signal.addEventListener('abort', () => session.cut(), { once: true });
  signal.throwIfAborted();
  const { rows } = await session.client.query<{ recovering: boolean; braked: boolean }>(
    `select pg_is_in_recovery() as recovering, current_setting('default_transaction_read_only')::boolean as braked`,
  );
  const { recovering = true, braked = true } = rows[0] ?? {};
  return { isPrimary: !recovering, isWritable: !recovering && !braked };
}

/**
 * It takes connections: others have taken all of them. Strangers can, since whoever has not said yet who he is has one
 * too, and what is kept for the platform is kept from those only who have.
 */
export const isCrowded = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '53300';

/** Of clients, not the platform's own. */
export async function countConnections(home: string): Promise<number> {
  await using session = await connectAsPlatform(home);
  const { rows } = await session.client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where backend_type = 'client backend' and usename <> all ($1)`,
    [OWN_ROLES],
  );
  return rows[0]?.count ?? 0;
}
