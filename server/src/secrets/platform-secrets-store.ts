import { randomBytes } from 'node:crypto';
import type { Store } from '../db/pool.ts';
import type { Keyring, SealedPlace } from './keyring.ts';

/** What the installation keeps secret for itself. */
export const platformSecretNames = [
  'access-token-signing',
  'console-password',
  'domain-ownership',
  'edge-to-api',
  'mcp-questions',
  'object-signing',
  'swarm-control',
  'tls-tickets',
  'vcs-state',
  'vcs-webhooks',
] as const;

export type PlatformSecretName = (typeof platformSecretNames)[number];

const SECRET_BYTES = 32;

/** 32 random bytes, made once for each name; processes that ask at the same moment get the same ones. */
export async function platformSecret(
  { store, keyring }: { store: Pick<Store, 'db'>; keyring: Keyring },
  name: PlatformSecretName,
): Promise<Buffer> {
  const sealed = (await readSealed(store, name)) ?? (await createSealed(store, keyring, name));
  return Buffer.from(keyring.open(sealed, placeOf(name)), 'base64');
}

/** Whether anything was ever sealed for the platform itself; a store without tables knows no secrets either. */
export async function hasPlatformSecrets({ db }: Pick<Store, 'db'>): Promise<boolean> {
  try {
    return (await db.selectFrom('platform_secrets').select('name').limit(1).executeTakeFirst()) !== undefined;
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return false;
    throw error;
  }
}

const UNDEFINED_TABLE = '42P01';

async function readSealed(store: Pick<Store, 'db'>, name: string): Promise<string | undefined> {
  const row = await store.db
    .selectFrom('platform_secrets')
    .select('sealed')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.sealed;
}

async function createSealed(store: Pick<Store, 'db'>, keyring: Keyring, name: string): Promise<string> {
  const sealed = keyring.seal(randomBytes(SECRET_BYTES).toString('base64'), placeOf(name));
  await store.db
    .insertInto('platform_secrets')
    .values({ name, sealed })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  // Not necessarily ours: the first to insert wins.
  return (await readSealed(store, name))!;
}

function placeOf(name: string): SealedPlace {
  return { table: 'platform_secrets', row: name, column: 'sealed' };
}
