import { randomInt } from 'node:crypto';
import { isIP } from 'node:net';
import type { DatabaseType } from '@lilac/contract/states';
import type { DatabaseRow } from '../../db/schema.ts';
import type { ServerSize } from '../../engines/server.ts';
import { invalid } from '../../lib/fault.ts';
import { clearHostPart } from './clear-host-part.ts';

type Tier = Pick<ServerSize, 'memoryMb' | 'cpus'>;

const sharedTiers: Readonly<Record<string, Tier>> = {
  'db-f1-micro': { cpus: 0.25, memoryMb: 614 },
  'db-g1-small': { cpus: 0.5, memoryMb: 1740 },
};

/** What the tier gives; null for what is no tier. */
export function readTier(tier: string): Tier | null {
  const shared = sharedTiers[tier];
  if (shared) return shared;
  const [, cpus, memoryMb] = /^db-custom-(\d+)-(\d+)$/.exec(tier)?.map(Number) ?? [];
  return cpus && memoryMb ? { cpus, memoryMb } : null;
}

export function sizeOf({ tier, storage_gb }: Pick<DatabaseRow, 'tier' | 'storage_gb'>): ServerSize {
  const size = readTier(tier);
  if (!size) throw new Error(`"${tier}" is no tier`);
  return { ...size, storageGb: storage_gb };
}

/** A network as `address/bits`, the host's part cleared; refuses what is none. */
export function assertNetwork(text: string): string {
  const [address = '', bits, ...rest] = text.trim().split('/');
  const family = isIP(address);
  const most = family === 4 ? 32 : 128;
  const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
  if (family === 0 || address.includes('%') || length < 0 || length > most || rest.length > 0) {
    throw invalid(`authorizedNetworks: "${text}" is not a network. Write one like 203.0.113.0/24 or 2001:db8::/32.`);
  }
  return `${clearHostPart(address, length)}/${length}`;
}

const LETTERS = 'abcdefghjkmnpqrstuvwxyz';
const LETTERS_AND_DIGITS = `${LETTERS}ABCDEFGHJKMNPQRSTUVWXYZ23456789`;

/** Safe in a URL without escapes. */
export function newPassword(): string {
  return pick(LETTERS_AND_DIGITS, 32);
}

export const newDatabaseName = (): string => `db_${pick(LETTERS, 8)}`;
export const newUserName = (): string => `user_${pick(LETTERS, 8)}`;

function pick(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

export interface Endpoint {
  host: string;
  port: number;
}

const schemes: Record<DatabaseType, string> = { postgresql: 'postgresql', mysql: 'mysql' };

/** How clients are asked to encrypt. Of MySQL there is no common way; this is how those of Node.js are (mysql2). */
const encrypted: Record<DatabaseType, string> = {
  postgresql: 'sslmode=require',
  mysql: `ssl=${encodeURIComponent('{"rejectUnauthorized":false}')}`,
};

/**
 * What clients are given. From outside servers demand TLS, so the string says so; instances are on the machine itself.
 */
export function connectionString(
  { database_type, database_name, admin_user }: Pick<DatabaseRow, 'database_type' | 'database_name' | 'admin_user'>,
  { password, at, isOutside }: { password: string; at: Endpoint; isOutside: boolean },
): string {
  const host = isIP(at.host) === 6 ? `[${at.host}]` : at.host;
  const address = `${schemes[database_type]}://${admin_user}:${encodeURIComponent(password)}@${host}:${at.port}/${database_name}`;
  return isOutside ? `${address}?${encrypted[database_type]}` : address;
}
