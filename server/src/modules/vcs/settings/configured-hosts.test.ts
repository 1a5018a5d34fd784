import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig, type Config } from '../../../config.ts';
import { createLog } from '../../../lib/log.ts';
import { openKeyring } from '../../../secrets/key-file.ts';
import { createFakeClock, type FakeClock } from '../../../testing/fake-clock.ts';
import { createTestStore, type TestStore } from '../../../testing/test-store.ts';
import type { AppHost, AppSettings, ConnectionHost, OAuthSettings } from '../../../vcs/vcs-host.ts';
import { createVcsHosts, MEMORY_MS, type HostMakers } from './configured-hosts.ts';
import { removeHostSettings, saveHostSettings } from './save-settings.ts';
import { appSettings, oauthSettings } from './testing/app-settings.ts';

/** What a maker was given is all that these tests look at. */
type Made = { settings: AppSettings | OAuthSettings | null };
const makers = {
  provider1: (settings: AppSettings | null) => ({ settings }) as unknown as AppHost,
  provider2: (settings: OAuthSettings | null) => ({ settings }) as unknown as ConnectionHost,
  provider3: (settings: OAuthSettings | null) => ({ settings }) as unknown as ConnectionHost,
} satisfies HostMakers;
const settingsOf = (host: unknown) => (host as Made | null)?.settings;

let folder: string;
let store: TestStore;
let clock: FakeClock;
let lines: string[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lilac-vcs-'));
  store = await createTestStore();
  clock = createFakeClock();
  lines = [];
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

function depsOf(environment: Record<string, string> = {}) {
  const config: Config = readConfig({ LILAC_HOME: folder, ...environment });
  const keyring = openKeyring(join(folder, 'keyring.json'));
  const log = createLog({
    level: 'info',
    role: 'api',
    destination: { write: (line: string) => void lines.push(line) },
  });
  return { store, config, keyring, clock, log, makers };
}

const appsFile = (content: object, mode = 0o600): string => {
  const path = join(folder, 'hosts.json');
  writeFileSync(path, JSON.stringify(content));
  chmodSync(path, mode);
  return path;
};

describe('the hosts of the settings', () => {
  it('are null until they are set up, and can be asked for what everybody sees all the same', async () => {
    const hosts = createVcsHosts(depsOf());
    expect([await hosts.app(), await hosts.connection('provider2'), await hosts.connection('provider3')]).toEqual([
      null,
      null,
      null,
    ]);
    expect(await hosts.any('provider1')).toEqual({ settings: null });
    expect(await hosts.any('provider3')).toEqual({ settings: null });
  });

  it('follow what is saved and removed by another process within seconds, without a restart', async () => {
    const hosts = createVcsHosts(depsOf());
    expect(await hosts.app()).toBeNull();
    await saveHostSettings(depsOf(), 'provider1', appSettings);
    await saveHostSettings(depsOf(), 'provider2', oauthSettings);
    clock.advance(MEMORY_MS);
    expect(settingsOf(await hosts.app())).toEqual(appSettings);
    expect(settingsOf(await hosts.connection('provider2'))).toEqual(oauthSettings);
    expect(await removeHostSettings(depsOf(), 'provider1')).toBe(true);
    expect(await removeHostSettings(depsOf(), 'provider1')).toBe(false);
    expect(settingsOf(await hosts.app()), 'remembered').toEqual(appSettings);
    clock.advance(MEMORY_MS);
    expect(await hosts.app()).toBeNull();
  });

  it('are asked of the store once for many who ask at once, and stay the same objects while nothing changes', async () => {
    await saveHostSettings(depsOf(), 'provider1', appSettings);
    const deps = depsOf();
    let readings = 0;
    const counted = {
      ...deps,
      store: {
        get db() {
          readings++;
          return store.db;
        },
      },
    };
    const hosts = createVcsHosts(counted);
    const asked = await Promise.all(Array.from({ length: 20 }, () => hosts.app()));
    expect([new Set(asked).size, readings]).toEqual([1, 1]);
    clock.advance(MEMORY_MS);
    expect(await hosts.app()).toBe(asked[0]);
    expect(await hosts.any('provider1')).toBe(asked[0]);
    await saveHostSettings(deps, 'provider1', { ...appSettings, webhookSecret: 'a-new-one' });
    clock.advance(MEMORY_MS);
    expect(settingsOf(await hosts.app())).toMatchObject({ webhookSecret: 'a-new-one' });
  });

  it('a store that is away is not remembered', async () => {
    await saveHostSettings(depsOf(), 'provider1', appSettings);
    let isAway = true;
    const db = () => {
      if (isAway) throw new Error('away');
      return store.db;
    };
    const hosts = createVcsHosts({
      ...depsOf(),
      store: {
        get db() {
          return db();
        },
      },
    });
    await expect(hosts.app()).rejects.toThrow('away');
    isAway = false;
    expect(settingsOf(await hosts.app())).toEqual(appSettings);
  });

  it('count as not set up while their feature is off', async () => {
    const deps = depsOf({ LILAC_FEATURE_FLAGS: 'provider2=off' });
    await saveHostSettings(deps, 'provider2', oauthSettings);
    await saveHostSettings(deps, 'provider3', oauthSettings);
    const hosts = createVcsHosts(deps);
    expect(await hosts.connection('provider2')).toBeNull();
    expect(settingsOf(await hosts.any('provider2'))).toBeNull();
    expect(await hosts.connection('provider3')).not.toBeNull();
  });
});

describe("the operator's file", () => {
  it('wins over the store for the hosts it names, and is followed too', async () => {
    const path = appsFile({ provider1: appSettings });
    await saveHostSettings(depsOf(), 'provider1', { ...appSettings, slug: 'stored' });
    await saveHostSettings(depsOf(), 'provider3', oauthSettings);
    const hosts = createVcsHosts(depsOf({ LILAC_VCS_APPS_FILE: path }));
    expect(settingsOf(await hosts.app())).toMatchObject({ slug: appSettings.slug });
    expect(settingsOf(await hosts.connection('provider3'))).toEqual(oauthSettings);
    appsFile({ provider1: { ...appSettings, slug: 'renamed' } });
    clock.advance(MEMORY_MS);
    expect(settingsOf(await hosts.app())).toMatchObject({ slug: 'renamed' });
  });

  it('that everybody may read leaves all hosts not set up, said once in the log without a secret', async () => {
    await saveHostSettings(depsOf(), 'provider3', oauthSettings);
    const path = appsFile({ provider1: appSettings }, 0o644);
    const hosts = createVcsHosts(depsOf({ LILAC_VCS_APPS_FILE: path }));
    for (let times = 0; times < 3; times++) {
      expect([await hosts.app(), await hosts.connection('provider3')]).toEqual([null, null]);
      clock.advance(MEMORY_MS);
    }
    expect(await hosts.any('provider1')).toEqual({ settings: null });
    expect(lines.filter((line) => line.includes('provider1 counts as not set up'))).toHaveLength(1);
    expect(lines.join('')).toContain('chmod o=');
    expect(lines.join('')).not.toContain(appSettings.clientSecret);
    chmodSync(path, 0o600);
    clock.advance(MEMORY_MS);
    expect(settingsOf(await hosts.app())).toEqual(appSettings);
  });

  it('refuses that what it says be saved or removed elsewhere', async () => {
    const deps = depsOf({ LILAC_VCS_APPS_FILE: appsFile({ provider2: oauthSettings }) });
    await expect(saveHostSettings(deps, 'provider2', oauthSettings)).rejects.toMatchObject({ code: 'CF001' });
    await expect(removeHostSettings(deps, 'provider2')).rejects.toMatchObject({ code: 'CF001' });
    await saveHostSettings(deps, 'provider3', oauthSettings);
  });
});

describe('what is in the store', () => {
  it('is sealed, for its own row', async () => {
    await saveHostSettings(depsOf(), 'provider2', oauthSettings);
    const rows = await store.db.selectFrom('vcs_hosts').selectAll().execute();
    expect(rows).toMatchObject([{ provider: 'provider2', settings: expect.stringMatching(/^v1\./) as string }]);
    expect(rows[0]!.settings).not.toContain(oauthSettings.clientSecret);
    await store.db.insertInto('vcs_hosts').values({ provider: 'provider3', settings: rows[0]!.settings }).execute();
    const hosts = createVcsHosts(depsOf());
    expect(await hosts.connection('provider3')).toBeNull();
    expect(lines.join('')).toContain('provider3 counts as not set up');
    expect(await hosts.connection('provider2')).not.toBeNull();
  });
});
