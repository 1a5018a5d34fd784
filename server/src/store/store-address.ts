import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathsOf, type Config } from '../config.ts';
import type { StoreAddress } from '../db/pool.ts';

/** Where this installation's store is: the one LILAC_DATABASE_URL names, or the embedded one. */
export function storeAddressOf(config: Pick<Config, 'home' | 'databaseUrl'>): StoreAddress {
  if (config.databaseUrl) return { kind: 'url', url: config.databaseUrl };
  const { storeSocket, storePassword } = pathsOf(config);
  return { kind: 'socket', directory: storeSocket, password: readFileSync(storePassword, 'utf8').trim() };
}

/** The embedded store's password, made at the first start. */
export function ensureStorePassword(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(path, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(path, 'utf8').trim();
}
