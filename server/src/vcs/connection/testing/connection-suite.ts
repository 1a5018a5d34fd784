import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Config } from '../../../config.ts';
import type { HostSubject } from '../../testing/conformance-subject.ts';
import { createHostFetch, type HostFetch } from '../../host-fetch.ts';
import type { ConnectionRig, ConnectionRigOptions } from '../../testing/connection-rig.ts';
import type { RigLogin } from '../../testing/host-rig.ts';
import { startReceiver } from '../../testing/webhook-receiver.ts';
import { ForgedDelivery, type ConnectionHost, type HostAccess, type OAuthSettings } from '../../vcs-host.ts';

export interface ConnectionSubject {
  startRig(options?: ConnectionRigOptions): Promise<ConnectionRig>;
  createHost(deps: {
    config: Pick<Config, 'vcsUrls' | 'vcsApiUrls'>;
    fetch: HostFetch;
    settings: OAuthSettings | null;
    webhookKey: Buffer;
  }): ConnectionHost;
}

export const webhookKey = Buffer.alloc(32, 7);

interface AtRig {
  settings?: OAuthSettings | null;
  fetch?: HostFetch;
  key?: Buffer;
}

export function hostAt(subject: ConnectionSubject, rig: ConnectionRig, options: AtRig = {}): ConnectionHost {
  const { settings = rig.settings, fetch = createHostFetch(), key = webhookKey } = options;
  const elsewhere = new URL('http://127.0.0.1:9');
  const urls = { provider1: elsewhere, provider2: elsewhere, provider3: elsewhere };
  return subject.createHost({
    config: {
      vcsUrls: { ...urls, [rig.provider]: new URL(rig.url) },
      vcsApiUrls: { ...urls, [rig.provider]: new URL(rig.apiUrl) },
    },
    fetch,
    settings,
    webhookKey: key,
  });
}

/** For what holds for every host. */
export function asHostSubject(subject: ConnectionSubject): HostSubject<ConnectionRig, ConnectionHost> {
  const pageSize = 3;
  return {
    pageSize,
    startRig: () => subject.startRig({ pageSize }),
    createHost: (rig, fetch) => hostAt(subject, rig, { fetch }),
    createForeignHost: (rig, fetch) => hostAt(subject, rig, { fetch, key: Buffer.alloc(32, 8) }),
    accessTo: (rig, account) => accessOf(rig, account === 'acme' ? 'alice' : 'carol'),
    async hook(_rig, host, { access, ...hook }) {
      expect(await host.ensureHook(access, hook)).not.toBeNull();
    },
    // A person's token is good for all that is theirs.
    narrowsCredentials: false,
  };
}

export async function accessOf(rig: ConnectionRig, login: RigLogin): Promise<HostAccess> {
  const { accessToken } = await rig.tokenOf(login);
  return { kind: 'person', accessToken };
}

/** What the hosts of connections have beyond what all hosts have: people who sign in, and hooks in repositories. */
export function describeConnections(name: string, subject: ConnectionSubject): void {
  describe(`${name}: people who sign in`, () => {
    let rig: ConnectionRig;
    let host: ConnectionHost;
    const redirectUrl = 'http://127.0.0.1:9/api/callback';
    const signIn = async (login: RigLogin, state = 'a state') =>
      new URL(await rig.signIn(host.authorizeUrl({ state, redirectUrl }), { login }));
    const codeOf = async (login: RigLogin) => (await signIn(login)).searchParams.get('code') ?? '';

    beforeAll(async () => {
      rig = await subject.startRig();
      host = hostAt(subject, rig);
    });
    afterAll(() => rig[Symbol.asyncDispose]());

    it('come back with the state, and their code is good for tokens that tell who they are', async () => {
      const back = await signIn('alice', 'st/at e&');
      expect(back.href).toMatch(`${redirectUrl}?`);
      expect(back.searchParams.get('state')).toBe('st/at e&');
      const tokens = await host.redeemCode({ code: back.searchParams.get('code') ?? '', redirectUrl });
      expect(tokens.expiresAt).toBeGreaterThan(Date.now() + 3_600_000);
      expect(await host.findPerson(tokens.accessToken)).toMatchObject({ login: 'alice' });
    });

    it('are each somebody else, and always the same', async () => {
      const ids = [];
      for (const login of ['alice', 'bob', 'alice'] as const) {
        ids.push((await host.findPerson((await rig.tokenOf(login)).accessToken))?.id);
      }
      expect(ids[0]).toBe(ids[2]);
      expect(ids[0]).not.toBe(ids[1]);
    });

    it('a code is good once; used again it ends what it gave', async () => {
      const code = await codeOf('alice');
      const tokens = await host.redeemCode({ code, redirectUrl });
      await expect(host.redeemCode({ code, redirectUrl })).rejects.toMatchObject({ code: 'VA001' });
      expect(await host.refreshTokens(tokens.refreshToken ?? '')).toBeNull();
    });

    it('a code is good for the address it was given to only', async () => {
      const code = await codeOf('bob');
      const request = { code, redirectUrl: 'http://127.0.0.1:9/elsewhere' };
      await expect(host.redeemCode(request)).rejects.toMatchObject({ code: 'VA001' });
    });

    it('access is refreshed, and the old refresh token is good no longer', async () => {
      const first = await host.redeemCode({ code: await codeOf('bob'), redirectUrl });
      const second = await host.refreshTokens(first.refreshToken ?? '');
      expect(second?.refreshToken).not.toBe(first.refreshToken);
      expect(await host.findPerson(second?.accessToken ?? '')).toMatchObject({ login: 'bob' });
      expect(await host.refreshTokens(first.refreshToken ?? '')).toBeNull();
    });

    it('who takes it back is nobody, and reaches nothing', async () => {
      await rig.createRepository('carol/mine', { isPrivate: true, files: { a: '1' } });
      const { accessToken, refreshToken } = await rig.tokenOf('carol');
      const access = { kind: 'person', accessToken } as const;
      expect(await host.listRepositories(access)).toHaveLength(1);
      await rig.takeBack('carol');
      expect(await host.findPerson(accessToken)).toBeNull();
      expect(await host.refreshTokens(refreshToken ?? '')).toBeNull();
      expect(await host.listRepositories(access)).toBeNull();
      expect(await host.findRepository(access, { owner: 'carol', name: 'mine' })).toBeNull();
      expect(await host.gitCredential(access, { owner: 'carol', name: 'mine' })).toBeNull();
    });

    it('a platform that is not set up, or wrongly, says who can mend it', async () => {
      const unknown = hostAt(subject, rig, { settings: null });
      expect(() => unknown.authorizeUrl({ state: 's', redirectUrl })).toThrow('not set up');
      await expect(unknown.redeemCode({ code: 'c', redirectUrl })).rejects.toMatchObject({ code: 'CF001' });
      const clientSecret = 'an entirely wrong secret';
      const wrong = hostAt(subject, rig, { settings: { ...rig.settings, clientSecret } });
      const refused = wrong.redeemCode({ code: await codeOf('bob'), redirectUrl });
      await expect(refused).rejects.toMatchObject({ code: 'CF001', message: expect.stringContaining('operator') });
      await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining(clientSecret) });
    });

    it('a name of dots leads to no other endpoint', async () => {
      const access = await accessOf(rig, 'alice');
      const asked = rig.apiCalls;
      for (const name of [
        { owner: '..', name: 'user' },
        { owner: 'acme', name: '..' },
        { owner: 'acme/../..', name: 'user' },
        { owner: 'acme', name: 'site?x' },
        { owner: 'acme', name: 'a/b' },
      ]) {
        expect(await host.findRepository(access, name)).toBeNull();
        expect(await host.listBranches(access, name)).toBeNull();
      }
      expect(rig.apiCalls).toBe(asked);
    });
  });

  describe(`${name}: hooks in repositories`, () => {
    it('are made once, whoever asks how often, and their pushes are believed', async () => {
      await using rig = await subject.startRig();
      await using receiver = await startReceiver();
      const host = hostAt(subject, rig);
      const repository = await rig.createRepository('acme/site', { isPrivate: true, files: { a: '1' } });
      const access = await accessOf(rig, 'alice');
      const hook = { repository, url: receiver.url };
      const ids = await Promise.all([1, 2, 3].map(() => host.ensureHook(access, hook)));
      ids.push(await host.ensureHook(access, hook));
      expect(new Set(ids).size).toBe(1);

      const sha = await rig.push('acme/site', { files: { a: '2' }, message: 'Zwei\n\nmore' });
      expect(rig.deliveries).toHaveLength(1);
      expect(receiver.received[0]!.query).toEqual({ repository: repository.id });
      expect(receiver.received.map((request) => host.readDelivery(request))).toMatchObject([
        { events: [{ kind: 'push', branch: 'main', sha, pusher: 'alice', repository: { id: repository.id } }] },
      ]);
      await rig.redeliver(0);
      const [first, again] = receiver.received.map((request) => host.readDelivery(request));
      expect(again).toEqual(first);

      const other = await rig.createRepository('acme/other', { isPrivate: true });
      const foreign = receiver.received[0]!;
      const body = Buffer.from(foreign.body.toString().replaceAll(repository.id, other.id));
      for (const query of [foreign.query, { repository: other.id }]) {
        expect(() => host.readDelivery({ ...foreign, query, body })).toThrow(ForgedDelivery);
      }
      expect(() => host.readDelivery({ ...foreign, query: { repository: other.id } })).toThrow(ForgedDelivery);

      await host.removeHook(access, { repositoryId: repository.id, hookId: ids[0] ?? '' });
      await host.removeHook(access, { repositoryId: repository.id, hookId: ids[0] ?? '' });
      await rig.push('acme/site', { files: { a: '3' } });
      expect(rig.deliveries).toHaveLength(2);
    });

    it('are not made by those who may not', async () => {
      await using rig = await subject.startRig();
      const host = hostAt(subject, rig);
      const repository = await rig.createRepository('acme/site', { isPrivate: true, files: { a: '1' } });
      const hook = { repository, url: 'http://127.0.0.1:9/hook' };
      for (const login of ['bob', 'carol'] as const) {
        expect(await host.ensureHook(await accessOf(rig, login), hook)).toBeNull();
      }
      await rig.push('acme/site', { files: { a: '2' } });
      expect(rig.deliveries).toEqual([]);
      const hookId = await host.ensureHook(await accessOf(rig, 'alice'), hook);
      await host.removeHook(await accessOf(rig, 'bob'), { repositoryId: repository.id, hookId: hookId ?? '' });
      await rig.push('acme/site', { files: { a: '3' } });
      expect(rig.deliveries).toHaveLength(1);
    });
  });
}
