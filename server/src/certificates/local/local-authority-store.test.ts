import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openKeyring } from '../../secrets/key-file.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createTestStore, type TestStore } from '../../testing/test-store.ts';
import { localAuthorityPlace, readOrCreateLocalAuthority } from './local-authority-store.ts';
import { openLocalAuthority } from './local-authority.ts';

function depsOf(store: TestStore) {
  const home = mkdtempSync(join(tmpdir(), 'lilac-keys-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return { store, keyring: openKeyring(join(home, 'keyring.json')), clock: createFakeClock() };
}

const DAY_MS = 86_400_000;

it('is one for all who ask at once, with its key sealed', async () => {
  await using store = await createTestStore();
  const deps = depsOf(store);
  const asked = await Promise.all(Array.from({ length: 8 }, () => readOrCreateLocalAuthority(deps)));
  expect(new Set(asked.map(({ certificate }) => certificate)).size).toBe(1);
  const { certificate, sealedKey } = asked[0]!;
  expect(sealedKey).toMatch(/^v1\./);
  const privateKey = deps.keyring.open(sealedKey, localAuthorityPlace);
  expect(() => openLocalAuthority({ certificate, privateKey })).not.toThrow();
});

it('stays the same until it is about to end, and then there is another', async () => {
  await using store = await createTestStore();
  const deps = depsOf(store);
  const first = await readOrCreateLocalAuthority(deps);
  deps.clock.advance(3500 * DAY_MS);
  expect(await readOrCreateLocalAuthority(deps)).toEqual(first);
  deps.clock.advance(60 * DAY_MS);
  const [second, same] = await Promise.all([readOrCreateLocalAuthority(deps), readOrCreateLocalAuthority(deps)]);
  expect(second.certificate).not.toBe(first.certificate);
  expect(same).toEqual(second);
});
