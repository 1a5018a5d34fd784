import { setTimeout as delay } from 'node:timers/promises';
import { EngineRefused } from '../engine.ts';
import { connectAsPlatform } from './connect.ts';

const RELOAD_MS = 10_000;

/**
 * Lets the server read its settings again, and waits until whoever comes from now on meets the new ones: a new session
 * knows when the main process, from which it stems, has read them.
 */
export async function reload(home: string): Promise<void> {
  const before = await loadedAt(home, { andReload: true });
  const deadline = Date.now() + RELOAD_MS;
  while ((await loadedAt(home)) === before) {
    if (Date.now() > deadline) throw new EngineRefused('PostgreSQL does not take its settings; see its log.');
    await delay(5);
  }
}

async function loadedAt(home: string, { andReload = false } = {}): Promise<string> {
  await using session = await connectAsPlatform(home);
  const { rows } = await session.client.query<{ at: string }>('select pg_conf_load_time()::text as at');
  if (andReload) await session.client.query('select pg_reload_conf()');
  return rows[0]?.at ?? '';
}
