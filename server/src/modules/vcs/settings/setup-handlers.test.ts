import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BodyOf, OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../../config.ts';
import type { Client } from '../../../http/handler.ts';
import { Fault } from '../../../lib/fault.ts';
import { silentLog } from '../../../lib/log.ts';
import { openKeyring } from '../../../secrets/key-file.ts';
import { createFakeClock } from '../../../testing/fake-clock.ts';
import { createTestStore, type TestStore } from '../../../testing/test-store.ts';
import { readHostStates } from './read-settings.ts';
import { setupHandlers, type SetupDeps } from './setup-handlers.ts';
import { issueVcsSetupLink } from './setup-link.ts';
import { appSettings, oauthSettings } from './testing/app-settings.ts';

const HOUR_MS = 60 * 60 * 1000;
let home: string;
let store: TestStore;
let deps: SetupDeps & { clock: ReturnType<typeof createFakeClock> };
let converted: string[];
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'lilac-vcs-'));
  store = await createTestStore();
  converted = [];
  deps = {
    store,
    config: readConfig({ LILAC_HOME: home, LILAC_PUBLIC_URL: 'https://lilac.example.org' }),
    keyring: openKeyring(join(home, 'keyring.json')),
    clock: createFakeClock(),
    log: silentLog,
    appManifest: ({ redirectUrl, webhookUrl }) => ({
      manifest: { redirectUrl, webhookUrl },
      postUrl: 'https://github.com/settings/apps/new',
    }),
    convertManifest: async (code) => {
      converted.push(code);
      if (code === 'used') throw new Fault('VA001', 'The code was used before.');
      return appSettings;
    },
    checkHost: async (provider, states) => ({
      isGood: states[provider].settings?.clientSecret !== 'wrong',
      found: `asked about ${states[provider].settings?.clientId}`,
    }),
  };
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true });
});

type Name = 'vcs-setup.show' | 'vcs-setup.begin' | 'vcs-setup.save' | 'vcs-setup.convert';

async function call<N extends Name>(name: N, body: BodyOf<Endpoints[N]>, address = '192.0.2.1') {
  const handler = setupHandlers(deps)[name] as (context: {
    body: unknown;
    client: Pick<Client, 'address'>;
  }) => Promise<OutputOf<Endpoints[N]>>;
  return await handler({ body, client: { address } });
}

async function newSetupToken(): Promise<string> {
  const link = new URL((await issueVcsSetupLink(deps)).url);
  expect([link.origin, link.pathname, link.search]).toEqual(['https://lilac.example.org', '/repository-hosts', '']);
  return link.hash.slice(1);
}

describe('the link of `lilac admin vcs setup`', () => {
  it('opens the page for an hour, until a newer one replaces it', async () => {
    const first = await newSetupToken();
    await call('vcs-setup.show', { setupToken: first });
    const second = await newSetupToken();
    await expect(call('vcs-setup.show', { setupToken: first })).rejects.toMatchObject({ code: 'CA002' });
    deps.clock.advance(HOUR_MS - 1);
    await call('vcs-setup.show', { setupToken: second });
    deps.clock.advance(1);
    await expect(call('vcs-setup.show', { setupToken: second })).rejects.toMatchObject({ code: 'CA002' });
  });

  it('is nowhere in the store, and where there is none nothing opens', async () => {
    await expect(call('vcs-setup.show', { setupToken: 'any' })).rejects.toMatchObject({ code: 'CA002' });
    const setupToken = await newSetupToken();
    const rows = await store.db.selectFrom('vcs_setup_link').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(rows[0]!.token_hash.toString('latin1')).not.toContain(setupToken);
  });

  it('cannot be guessed at for long, and whoever guesses shuts nobody else out', async () => {
    const setupToken = await newSetupToken();
    const guess = () => call('vcs-setup.show', { setupToken: 'guess' }, '198.51.100.7');
    for (let times = 0; times < 10; times++) await expect(guess()).rejects.toMatchObject({ code: 'CA002' });
    await expect(guess()).rejects.toMatchObject({ code: 'CA009' });
    await call('vcs-setup.show', { setupToken });
  });

  it('guards beginning, saving and converting too, before anything is asked of the host', async () => {
    await newSetupToken();
    const wrong = { setupToken: 'wrong' };
    await expect(call('vcs-setup.begin', wrong)).rejects.toMatchObject({ code: 'CA002' });
    await expect(call('vcs-setup.convert', { ...wrong, code: 'c' })).rejects.toMatchObject({ code: 'CA002' });
    await expect(call('vcs-setup.save', { ...wrong, provider: 'provider2', ...oauthSettings })).rejects.toMatchObject({
      code: 'CA002',
    });
    expect(converted).toEqual([]);
    expect((await readHostStates(deps)).provider2.settings).toBeNull();
  });
});

describe('what it shows and keeps', () => {
  it('says so where an app takes the place of another, which somebody else may have set up meanwhile', async () => {
    const setupToken = await newSetupToken();
    const first = await call('vcs-setup.convert', { setupToken, code: 'fresh' });
    deps.convertManifest = async () => ({ ...appSettings, slug: 'another-of-acme' });
    const second = await call('vcs-setup.convert', { setupToken, code: 'fresh' });
    expect([first, second].map(({ message }) => message)).toEqual([
      'The app lilac-of-acme is set up.',
      'The app another-of-acme is set up. It takes the place of lilac-of-acme.',
    ]);
  });

  it('shows where to enter what, and never a secret', async () => {
    const setupToken = await newSetupToken();
    await call('vcs-setup.convert', { setupToken, code: 'fresh' });
    await call('vcs-setup.save', { setupToken, provider: 'provider2', ...oauthSettings });
    const shown = await call('vcs-setup.show', { setupToken });
    expect(shown).toEqual({
      provider1: {
        configured: true,
        enabled: true,
        source: 'store',
        trouble: null,
        clientId: appSettings.clientId,
        slug: 'lilac-of-acme',
        hostUrl: 'https://github.com',
        callbackUrl: 'https://lilac.example.org/api/vcs-app/callback',
        webhookUrl: 'https://lilac.example.org/api/vcs-app/webhook',
        manifest: JSON.stringify({
          redirectUrl: 'https://lilac.example.org/repository-hosts',
          webhookUrl: 'https://lilac.example.org/api/vcs-app/webhook',
        }),
        manifestUrl: 'https://github.com/settings/apps/new',
      },
      provider2: {
        configured: true,
        enabled: true,
        source: 'store',
        trouble: null,
        clientId: oauthSettings.clientId,
        hostUrl: 'https://gitlab.com',
        callbackUrl: 'https://lilac.example.org/api/provider2/callback',
        webhookUrl: 'https://lilac.example.org/api/provider2/webhook',
      },
      provider3: expect.objectContaining({
        configured: false,
        source: null,
        hostUrl: 'https://bitbucket.org',
      }) as object,
    });
    for (const secret of [appSettings.clientSecret, appSettings.webhookSecret, oauthSettings.clientSecret, 'PRIVATE']) {
      expect(JSON.stringify(shown)).not.toContain(secret);
    }
  });

  it('takes over the app that the host made; a used code changes nothing', async () => {
    const setupToken = await newSetupToken();
    await call('vcs-setup.convert', { setupToken, code: 'fresh' });
    await expect(call('vcs-setup.convert', { setupToken, code: 'used' })).rejects.toMatchObject({ code: 'VA001' });
    expect((await readHostStates(deps)).provider1.settings).toEqual(appSettings);
  });

  it('makes a webhook secret where none is given, and tells it once', async () => {
    const setupToken = await newSetupToken();
    const { webhookSecret: _, ...given } = appSettings;
    const { message } = await call('vcs-setup.save', { setupToken, provider: 'provider1', ...given });
    const { webhookSecret } = (await readHostStates(deps)).provider1.settings!;
    expect(webhookSecret).toHaveLength(43);
    expect(message).toContain(webhookSecret);
    const again = await call('vcs-setup.save', { setupToken, provider: 'provider1', ...appSettings });
    expect(again.message).not.toContain(appSettings.webhookSecret);
  });

  it('shows what was saved to the host, and says when the host does not take it', async () => {
    const given = { setupToken: await newSetupToken(), provider: 'provider2', ...oauthSettings } as const;
    const found = `asked about ${oauthSettings.clientId}`;
    expect(await call('vcs-setup.save', given)).toMatchObject({ known: true, found });
    const refused = await call('vcs-setup.save', { ...given, clientSecret: 'wrong' });
    expect(refused).toMatchObject({ known: false, found });
    const { setupToken } = given;
    expect(await call('vcs-setup.show', { setupToken }), 'and later too').toMatchObject({
      provider2: { configured: true, trouble: found },
      provider3: { configured: false, trouble: null },
    });
    expect((await readHostStates(deps)).provider2.settings, 'kept all the same').toMatchObject({
      clientSecret: 'wrong',
    });
  });

  it('400 for half a set, and what there was stays', async () => {
    const setupToken = await newSetupToken();
    await call('vcs-setup.save', { setupToken, provider: 'provider1', ...appSettings });
    await expect(call('vcs-setup.save', { setupToken, provider: 'provider1', ...oauthSettings })).rejects.toMatchObject(
      { code: 'VA001', message: expect.stringContaining('appId, slug, privateKey') as string },
    );
    expect((await readHostStates(deps)).provider1.settings).toEqual(appSettings);
  });
});
