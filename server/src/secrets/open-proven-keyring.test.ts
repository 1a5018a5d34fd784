import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestStore } from '../testing/test-store.ts';
import { openKeyring } from './key-file.ts';
import { openProvenKeyring } from './open-proven-keyring.ts';
import { platformSecret } from './platform-secrets-store.ts';

function hostFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'keyring.json');
}

describe('the key file of a host', () => {
  it('is made for a store without secrets; another host with another, or none, is told what to do', async () => {
    await using store = await createTestStore();
    const [first, second] = [hostFolder(), hostFolder()];
    await openProvenKeyring({ store, path: first });
    await expect(openProvenKeyring({ store, path: second })).rejects.toThrow(/no key file at .*copy .*keyring\.json/);
    expect(existsSync(second)).toBe(false);
    await using elsewhere = await createTestStore();
    await openProvenKeyring({ store: elsewhere, path: second });
    await expect(openProvenKeyring({ store, path: second })).rejects.toThrow(/not the one .*LILAC_KEYRING_FILE/);
    await openProvenKeyring({ store, path: first });
  });

  it('that another role of the host makes, with the first secret, while this one asks the store is as good', async () => {
    await using store = await createTestStore();
    const path = hostFolder();
    const asked = await store.db.transaction().execute(async (tx) => {
      await sql`lock table platform_secrets`.execute(tx);
      const waiting = openProvenKeyring({ store, path });
      await platformSecret({ store: { db: tx }, keyring: openKeyring(path) }, 'access-token-signing');
      return { waiting };
    });
    expect((await asked.waiting).currentKeyId()).toBe(openKeyring(path).currentKeyId());
  });

  it('of hosts that begin at once is one; who made another is refused', async () => {
    await using store = await createTestStore();
    const hosts = [hostFolder(), hostFolder(), hostFolder()];
    const opened = await Promise.allSettled(hosts.map((path) => openProvenKeyring({ store, path })));
    expect(opened.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
  });
});
