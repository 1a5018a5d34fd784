import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathsOf, type Config } from '../config.ts';
import type { StoreAddress } from '../db/pool.ts';

/** Where this installation's store is: the one LILAC_DATABASE_URL names, or the embedded one. */
export function storeAddressOf(config: Pick<Config, 'home' | 'databaseUrl'>): StoreAddress {
  if (config.databaseUrl) return { kind: 'url', url: config.databaseUrl };
  const { storeSocket, storePassword } = pathsOf(config);
  return { kind: 'socket', directory: storeSocket, password: readFileSync(storePassword, 'utf8').trim() };
}

/** The embedded store's password, made at the first start. Never seen half-written, whoever else makes it too. */
export function ensureStorePassword(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (!existsSync(path)) {
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
    try {
      linkSync(draft, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      unlinkSync(draft);
    }
  }
  return readFileSync(path, 'utf8').trim();
}
