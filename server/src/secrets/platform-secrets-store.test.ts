import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestStore } from '../testing/test-store.ts';
import { openKeyring } from './key-file.ts';
import { platformSecret, platformSecretNames } from './platform-secrets-store.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'lilac-keys-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it('gives the same 32 bytes to all who ask at once, and other bytes for another name', async () => {
  await using store = await createTestStore();
  const deps = { store, keyring: openKeyring(join(home, 'keyring.json')) };
  const asked = await Promise.all(Array.from({ length: 8 }, () => platformSecret(deps, 'access-token-signing')));
  expect(new Set(asked.map((secret) => secret.toString('hex'))).size).toBe(1);
  expect(asked[0]).toHaveLength(32);
  expect(await platformSecret(deps, 'console-password')).not.toEqual(asked[0]);
});

it('stores it sealed', async () => {
  await using store = await createTestStore();
  const deps = { store, keyring: openKeyring(join(home, 'keyring.json')) };
  const secret = await platformSecret(deps, 'access-token-signing');
  const rows = await store.db.selectFrom('platform_secrets').selectAll().execute();
  expect(rows).toHaveLength(1);
  expect(rows[0]!.sealed).toMatch(/^v1\./);
  expect(rows[0]!.sealed).not.toContain(secret.toString('base64url'));
});

it('makes other secrets in every installation, and another for each name', async () => {
  await using one = await createTestStore();
  await using other = await createTestStore();
  const secrets = [
    ...(await secretsOf({ store: one, keyring: openKeyring(join(home, 'one.json')) })),
    ...(await secretsOf({ store: other, keyring: openKeyring(join(home, 'other.json')) })),
  ];
  expect(platformSecretNames.length).toBeGreaterThan(5);
  expect(secrets).toHaveLength(2 * platformSecretNames.length);
  expect(new Set(secrets).size).toBe(secrets.length);
});

/** Also where two have the same key file, as after a copy: what is random follows from nothing that they share. */
it('makes other secrets for a new store, though its key file is that of another', async () => {
  await using one = await createTestStore();
  await using other = await createTestStore();
  const keyring = openKeyring(join(home, 'keyring.json'));
  const secrets = [...(await secretsOf({ store: one, keyring })), ...(await secretsOf({ store: other, keyring }))];
  expect(secrets.length).toBeGreaterThan(10);
  expect(new Set(secrets).size).toBe(secrets.length);
});

async function secretsOf(deps: Parameters<typeof platformSecret>[0]): Promise<string[]> {
  const secrets = await Promise.all(platformSecretNames.map((name) => platformSecret(deps, name)));
  return secrets.map((secret) => secret.toString('hex'));
}
