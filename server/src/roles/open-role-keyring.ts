import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { pathsOf } from '../config.ts';
import type { Store } from '../db/pool.ts';
import { openKeyring, type RotatingKeyring } from '../secrets/key-file.ts';
import { openProvenKeyring, refuseToReplace } from '../secrets/open-proven-keyring.ts';
import { KeyFileError } from '../secrets/stored-keys.ts';
import { StartRefused } from '../supervisor/start-refused.ts';
import type { RoleContext } from './run-role.ts';

const LOOK_EVERY_MS = 100;
const COMPLAIN_AFTER_MS = 10_000;

/** The keyring of a role that has the store. One that cannot open what is in the store does not start. */
export async function openRoleKeyring({ config }: Pick<RoleContext, 'config'>, store: Store): Promise<RotatingKeyring> {
  return refusing(() => openProvenKeyring({ store, path: pathsOf(config).keyring }));
}

/**
 * The keyring of an edge, which serves without the store too. It never makes a key file for a store that it shares with
 * other hosts: it may be the only role of its own. What is in the store is waited for no longer than `patienceMs`.
 */
export async function openEdgeKeyring(
  context: RoleContext,
  store: Store,
  patienceMs: number,
): Promise<RotatingKeyring> {
  const { config } = context;
  const path = pathsOf(config).keyring;
  if (config.databaseUrl === null) return refusing(async () => openKeyring(path));
  await untilThere(context, store);
  const proven = refusing(() => openProvenKeyring({ store, path })).catch((error: unknown) => {
    if (error instanceof StartRefused) throw error;
    return null;
  });
  const found = await Promise.race([proven, delay(patienceMs, null, { ref: false })]);
  return found ?? refusing(async () => openKeyring(path));
}

async function untilThere({ config, log, lifeline }: RoleContext, store: Store): Promise<void> {
  const path = pathsOf(config).keyring;
  let complainAt = Date.now() + COMPLAIN_AFTER_MS;
  while (!existsSync(path)) {
    await refusing(() => refuseToReplace({ store, path })).catch((error: unknown) => {
      if (error instanceof StartRefused) throw error;
    });
    if (Date.now() > complainAt) {
      complainAt = Infinity;
      log.warn(`Still waiting for the key file ${path}: start the api here, or copy the file from a host that has it`);
    }
    await delay(LOOK_EVERY_MS, undefined, { signal: lifeline.signal });
  }
}

async function refusing<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    throw error instanceof KeyFileError ? new StartRefused(error.message) : error;
  }
}
