import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { silentLog, type Log } from '../../lib/log.ts';
import { openKeyring } from '../../secrets/key-file.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createTestStore, type TestStore } from '../../testing/test-store.ts';
import { makeServerIdentity } from '../testing/test-pki.ts';
import { localAuthorityPlace, readLocalAuthority, readOrCreateLocalAuthority } from './local-authority-store.ts';
import { openLocalAuthority } from './local-authority.ts';
import { permittedNamesOf } from './own-names.ts';
import { isBoundTo } from './permitted-names.ts';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function depsOf(store: TestStore) {
  const home = makeFolder();
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (text: string) => warnings.push(text) } as unknown as Log;
  const keyring = openKeyring(join(home, 'keyring.json'));
  return { store, keyring, clock: createFakeClock(), config: configOf('apps.example.org'), log, warnings };
}

const configOf = (appsDomain: string) => ({
  publicUrl: new URL('https://[2001:db8::1]:7443'),
  appsDomain,
  domains: { publicAddresses: ['192.0.2.7'], dnsServers: null, dnsHook: null },
});

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

it('that is not bound to the names of the installation is replaced, once, and it is said what to do', async () => {
  await using store = await createTestStore();
  const deps = depsOf(store);
  expect(await readLocalAuthority(store)).toBeUndefined();
  const first = await readOrCreateLocalAuthority(deps);
  expect(isBoundTo(first.certificate, permittedNamesOf(deps.config))).toBe(true);
  expect(await readOrCreateLocalAuthority(deps)).toEqual(first);
  expect(deps.warnings).toEqual([]);
  const other = { ...deps, config: configOf('apps.example.com') };
  const [second, same] = await Promise.all([readOrCreateLocalAuthority(other), readOrCreateLocalAuthority(other)]);
  expect(second.certificate).not.toBe(first.certificate);
  expect(same).toEqual(second);
  expect(await readLocalAuthority(store)).toEqual(second);
  expect(deps.warnings).toEqual([expect.stringContaining('lilac admin certificates root')]);
});

it('that was made before authorities were bound to names is replaced', async () => {
  await using store = await createTestStore();
  const deps = depsOf(store);
  const folder = makeFolder();
  const certificate = readFileSync((await makeServerIdentity(folder)).caFile, 'utf8');
  const key = deps.keyring.seal(readFileSync(join(folder, 'ca.key'), 'utf8'), localAuthorityPlace);
  const notAfter = new Date(deps.clock.now().getTime() + 3650 * DAY_MS);
  await store.db.insertInto('local_authority').values({ certificate, private_key: key, not_after: notAfter }).execute();
  const bound = await readOrCreateLocalAuthority(deps);
  expect(isBoundTo(certificate, permittedNamesOf(deps.config))).toBe(false);
  expect(isBoundTo(bound.certificate, permittedNamesOf(deps.config))).toBe(true);
  expect(deps.warnings).toHaveLength(1);
});
