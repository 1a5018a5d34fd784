import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startGithubRig, type GithubRig } from '../testing/github-rig.ts';
import { rigPeople, type RigLogin, type RigTrouble } from '../testing/host-rig.ts';
import { HostUnavailable, type AppHost, type HostInstallation } from '../vcs-host.ts';
import { hostAt } from './testing/host-at.ts';

const callbackUrl = 'http://127.0.0.1:9/api/vcs-app/callback';
let rig: GithubRig;
let host: AppHost;
beforeAll(async () => {
  // More accounts than a page holds.
  rig = await startGithubRig({ mostPerPage: 2 });
  rig.sendsBackTo(callbackUrl);
  host = hostAt(rig);
});
afterAll(() => rig[Symbol.asyncDispose]());

const tokenOf = async (login: RigLogin) => (await rig.tokenOf(login)).accessToken;
async function installationAt(account: string): Promise<HostInstallation> {
  const found = await host.findInstallation(rig.installationAt(account));
  if (!found) throw new Error(`There is none at ${account}.`);
  return found;
}

describe('installing the app', () => {
  it('leads back with the state, the installation, and a code that tells who it was', async () => {
    const back = new URL(await rig.signIn(host.installUrl('st/at e&'), { login: 'alice', account: 'acme' }));
    expect(back.href.split('?')[0]).toBe(callbackUrl);
    expect(back.searchParams.get('state')).toBe('st/at e&');
    expect(back.searchParams.get('setup_action')).toBe('install');
    const code = back.searchParams.get('code') ?? '';
    const tokens = await host.redeemCode({ code, redirectUrl: callbackUrl });
    expect(await host.findPerson(tokens.accessToken)).toMatchObject({ login: 'alice' });
    const installation = await host.findInstallation(Number(back.searchParams.get('installation_id')));
    expect(installation).toEqual({
      id: rig.installationAt('acme'),
      account: { id: expect.any(Number) as number, login: 'acme', type: 'organisation' },
      repositorySelection: 'all',
      isSuspended: false,
      url: expect.stringContaining(rig.url) as string,
    });
  });

  it('is only asked for by those who may not decide', async () => {
    const back = new URL(await rig.signIn(host.installUrl('s'), { login: 'bob', account: 'acme' }));
    expect(back.searchParams.get('setup_action')).toBe('request');
    expect(back.searchParams.get('installation_id')).toBeNull();
  });

  it.each([
    ['https://github.com', 'https://github.com/apps/lilac-rig/installations/new?state=s'],
    ['https://acme.ghe.com', 'https://acme.ghe.com/apps/lilac-rig/installations/new?state=s'],
    ['https://git.acme.example/', 'https://git.acme.example/github-apps/lilac-rig/installations/new?state=s'],
    ['https://acme.example/git', 'https://acme.example/git/github-apps/lilac-rig/installations/new?state=s'],
  ])('happens where the host %s has it', (url, expected) => {
    expect(hostAt({ ...rig, url }).installUrl('s')).toBe(expected);
  });
});

describe('installations', () => {
  beforeAll(async () => {
    for (const account of Object.values(rigPeople)) await rig.install(account);
  });

  it('are all known to the app, and to each person those that they see', async () => {
    const accounts = (await host.listInstallations()).map(({ account }) => account.login);
    expect(accounts.toSorted()).toEqual(['acme', 'alice', 'bob', 'carol']);
    const seenBy = async (login: RigLogin) =>
      (await host.installationsOf(await tokenOf(login)))?.map(({ account }) => account.login).toSorted();
    expect(await seenBy('alice')).toEqual(['acme', 'alice']);
    expect(await seenBy('bob')).toEqual(['acme', 'bob']);
    expect(await seenBy('carol')).toEqual(['carol']);
    expect((await host.installationsOf(await tokenOf('bob')))?.[0]).toEqual(await installationAt('acme'));
    expect(await host.installationsOf('ghu_unknown')).toBeNull();
  });

  it('are administered by whoever owns the account, as the host says', async () => {
    const administered = async (login: RigLogin) => {
      const token = await tokenOf(login);
      const all = await host.listInstallations();
      const answers = await Promise.all(all.map((each) => host.administers(token, each)));
      return all.flatMap((each, index) => (answers[index] ? [each.account.login] : [])).toSorted();
    };
    expect(await administered('alice')).toEqual(['acme', 'alice']);
    expect(await administered('bob')).toEqual(['bob']);
    expect(await administered('carol')).toEqual(['carol']);
    expect(await host.administers('ghu_unknown', await installationAt('acme'))).toBe(false);
    expect(await host.administers('ghu_unknown', await installationAt('carol'))).toBe(false);
  });

  it('are not administered by whoever has a name that was another’s, nor by a person with an organisation’s id', async () => {
    const ofTeam = await installationAt('acme');
    const renamed = { ...ofTeam, account: { ...ofTeam.account, id: ofTeam.account.id + 1 } };
    expect(await host.administers(await tokenOf('alice'), renamed)).toBe(false);
    const id = Number((await host.findPerson(await tokenOf('carol')))?.id);
    const sameId = { ...ofTeam, account: { ...ofTeam.account, id } };
    expect(await host.administers(await tokenOf('carol'), sameId)).toBe(false);
  });

  it('are told when they are suspended or were given less', async () => {
    const id = rig.installationAt('bob');
    await rig.suspend(id);
    expect(await host.findInstallation(id)).toMatchObject({ isSuspended: true });
    expect(await host.listRepositories({ kind: 'installation', installationId: id })).toBeNull();
    await rig.resume(id);
    await rig.choose(id, []);
    expect(await host.findInstallation(id)).toMatchObject({ isSuspended: false, repositorySelection: 'selected' });
  });

  it('are gone only when the host itself says so, whatever stands before it', async () => {
    const id = rig.installationAt('bob');
    const whyNot = async (trouble: RigTrouble): Promise<unknown> => {
      rig.trouble(trouble);
      try {
        return await host.findInstallation(id).catch((error: unknown) => error);
      } finally {
        rig.trouble(null);
      }
    };
    for (const refuses of [403, 404]) {
      expect(await whyNot({ refuses, by: 'proxy' })).toBeInstanceOf(HostUnavailable);
    }
    expect(await whyNot({ refuses: 403, by: 'host' })).toMatchObject({ code: 'VA003' });
    expect(await whyNot({ refuses: 410, by: 'host' })).toBeNull();
    expect(await host.findInstallation(id)).not.toBeNull();
  });

  it('are not asked for while the host wants to be left in peace, though the app signs anew each second', async () => {
    const patient = hostAt(rig);
    vi.useFakeTimers({ toFake: ['Date'] });
    rig.trouble({ rateLimited: 600 });
    try {
      await expect(patient.listInstallations()).rejects.toThrow(HostUnavailable);
      const { apiCalls } = rig;
      vi.setSystemTime(Date.now() + 5000);
      await expect(patient.findInstallation(1)).rejects.toThrow(HostUnavailable);
      expect(rig.apiCalls).toBe(apiCalls);
    } finally {
      rig.trouble(null);
      vi.useRealTimers();
    }
  });

  it('are gone once the app was removed, and removing it again is well', async () => {
    const id = rig.installationAt('carol');
    await host.uninstall(id);
    await host.uninstall(id);
    expect(await host.findInstallation(id)).toBeNull();
    expect((await host.listInstallations()).map((each) => each.id)).not.toContain(id);
    expect(await host.listRepositories({ kind: 'installation', installationId: id })).toBeNull();
    expect(await rig.install('carol')).not.toBe(id);
  });
});

describe('an app that the operator has not set up well', () => {
  it('says so', async () => {
    const none = hostAt(rig, { settings: null });
    expect(() => none.installUrl('s')).toThrow('not set up');
    await expect(none.listInstallations()).rejects.toMatchObject({ code: 'CF001' });
    const access = { kind: 'installation', installationId: rig.installationAt('acme') } as const;
    await expect(none.listRepositories(access)).rejects.toMatchObject({ code: 'CF001' });
    const wrong = hostAt(rig, { settings: { ...rig.settings, privateKey: anotherKey() } });
    await expect(wrong.listInstallations()).rejects.toMatchObject({
      code: 'CF001',
      message: expect.stringContaining('private key') as string,
    });
    await expect(wrong.uninstall(access.installationId)).rejects.toMatchObject({ code: 'CF001' });
    const broken = hostAt(rig, { settings: { ...rig.settings, privateKey: 'no key' } });
    await expect(broken.listInstallations()).rejects.toMatchObject({ code: 'CF001' });
    expect(await host.findInstallation(access.installationId)).not.toBeNull();
  });

  it('lacks a permission in words', async () => {
    // A host whose app was made by hand, without the permission to see members.
    await rig.uninstall(rig.installationAt('acme'));
    const installation = {
      ...(await installationAt('alice')),
      account: { id: 1, login: 'acme', type: 'organisation' },
    } as const;
    await expect(host.administers(await tokenOf('alice'), installation)).rejects.toMatchObject({
      code: 'CF001',
      message: expect.stringContaining('members: read') as string,
    });
  });
});

function anotherKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return privateKey;
}
