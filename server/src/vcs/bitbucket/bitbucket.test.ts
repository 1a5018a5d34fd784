import { createHmac } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { describeHost } from '../testing/conformance.ts';
import { hookSecret } from '../connection/hook-secret.ts';
import {
  accessOf,
  asHostSubject,
  describeConnections,
  hostAt,
  webhookKey,
  type ConnectionSubject,
} from '../connection/testing/connection-suite.ts';
import { hostOfAnswers, someone } from '../connection/testing/host-of-answers.ts';
import { startBitbucketRig } from '../testing/bitbucket-rig.ts';
import { ForgedDelivery, HostUnavailable } from '../vcs-host.ts';
import { createBitbucket } from './create-bitbucket.ts';
import { keyOf } from './statuses.ts';

const subject: ConnectionSubject = { startRig: startBitbucketRig, createHost: createBitbucket };

describeHost('Bitbucket', asHostSubject(subject));
describeConnections('Bitbucket', subject);

const page = (next: string) => hostOfAnswers(createBitbucket, () => Response.json({ values: [], next }));

describe('Bitbucket: repositories', () => {
  it('of all workspaces of a person are listed together', async () => {
    await using rig = await startBitbucketRig();
    const host = hostAt(subject, rig);
    const made = [
      await rig.createRepository('acme/a', { isPrivate: true, files: { a: '1' } }),
      await rig.createRepository('bob/b', { isPrivate: true, files: { a: '1' } }),
    ];
    await rig.createRepository('alice/c', { isPrivate: true });
    await rig.createRepository('carol/d');
    expect(await host.listRepositories(await accessOf(rig, 'bob'))).toEqual(made);
    expect(await host.listRepositories({ kind: 'public' })).toEqual([]);
  });

  it('of a workspace that shuts a person out are left out, unless there is no other', async () => {
    const told = { uuid: '{1}', full_name: 'open/site', is_private: true };
    const lists = (slugs: string[]) =>
      hostOfAnswers(createBitbucket, ({ url }) => {
        if (url.includes('/user/workspaces')) {
          return Response.json({ values: slugs.map((slug) => ({ workspace: { slug } })) });
        }
        return url.includes('/shut?') ? new Response('No.', { status: 403 }) : Response.json({ values: [told] });
      }).host.listRepositories(someone);
    expect(await lists(['shut', 'open'])).toMatchObject([{ fullName: 'open/site' }]);
    expect(await lists(['shut'])).toBeNull();
    expect(await lists([])).toEqual([]);
  });

  it('have no default branch while they are empty', async () => {
    await using rig = await startBitbucketRig();
    const host = hostAt(subject, rig);
    const made = await rig.createRepository('acme/empty');
    expect(await host.findRepository({ kind: 'public' }, made)).toEqual({ ...made, defaultBranch: null });
    expect(await host.listBranches({ kind: 'public' }, made)).toEqual([]);
  });

  it('that go on elsewhere, never end, or are a page for people, are a host that is not itself', async () => {
    const name = { owner: 'acme', name: 'site' };
    const elsewhere = page('https://evil.example/2.0/next');
    await expect(elsewhere.host.listBranches(someone, name)).rejects.toThrow(HostUnavailable);
    expect(elsewhere.asked.map(({ url }) => new URL(url).origin)).toEqual(['https://api.host.example']);
    const endless = page('https://api.host.example/v/next');
    await expect(endless.host.listBranches(someone, name)).rejects.toThrow(HostUnavailable);
    const people = hostOfAnswers(createBitbucket, () => new Response('<h1>Sign in</h1>'));
    await expect(people.host.findRepository(someone, name)).rejects.toThrow(HostUnavailable);
  });
});

describe('Bitbucket: statuses', () => {
  it('have a key of forty characters at most, one for each context', () => {
    const long = `lilac/${'a'.repeat(60)}`;
    expect(keyOf('lilac/production')).toBe('lilac/production');
    expect(keyOf(long)).toHaveLength(40);
    expect(keyOf(long)).not.toBe(keyOf(`${long}b`));
  });

  it('are written by whoever the repository is open to, however long their context is', async () => {
    await using rig = await startBitbucketRig();
    const host = hostAt(subject, rig);
    const repository = await rig.createRepository('acme/site', { isPrivate: true, files: { a: '1' } });
    const sha = await rig.push('acme/site', { files: { a: '2' } });
    const context = `lilac/${'feature-'.repeat(8)}`;
    const status = {
      repository,
      sha,
      context,
      state: 'success',
      description: 'Live',
      url: 'https://a.example/',
    } as const;
    await host.writeStatus(await accessOf(rig, 'bob'), status);
    expect(await rig.statusesOf('acme/site', sha)).toMatchObject([{ context, state: 'success' }]);
    const refused = host.writeStatus(await accessOf(rig, 'carol'), status);
    await expect(refused).rejects.toMatchObject({ code: 'VA003' });
  });
});

const secretOf = (repositoryId: string) => hookSecret(webhookKey, { provider: 'provider3', repositoryId });

const branch = (name: string, hash: string) => ({ type: 'branch', name, target: { hash, message: `At ${hash}` } });

describe('Bitbucket: what hooks bring', () => {
  const uuid = '{3f1e}';
  const { host } = hostOfAnswers(createBitbucket, () => new Response());
  const pushed = {
    actor: { nickname: 'bob', display_name: 'Bob B.' },
    repository: { uuid, full_name: 'acme/site' },
    push: {
      changes: [
        { new: branch('main', 'aa'), old: branch('main', '00') },
        { new: branch('feat/x', 'bb'), old: null },
        { new: null, old: branch('gone', 'cc') },
        { new: { type: 'tag', name: 'v1', target: { hash: 'dd' } }, old: null },
        { new: null, old: { type: 'tag', name: 'v0', target: { hash: 'ee' } } },
      ],
    },
  };
  const query = { repository: uuid };
  const read = (body: object, { secret = secretOf(uuid), ...headers }: Record<string, string | undefined> = {}) => {
    const bytes = Buffer.from(JSON.stringify(body));
    const signature = `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`;
    const given = { 'x-event-key': 'repo:push', 'x-request-uuid': 'r', 'x-hub-signature': signature, ...headers };
    return host.readDelivery({ headers: given, query, body: bytes });
  };

  it('one push may move many branches, and tags, which are of no concern', () => {
    const { id, event, events } = read(pushed);
    expect({ id, event }).toEqual({ id: 'r', event: 'repo:push' });
    expect(events).toEqual([
      pushOf({ branch: 'main', sha: 'aa', message: 'At aa' }),
      pushOf({ branch: 'feat/x', sha: 'bb', message: 'At bb' }),
      pushOf({ branch: 'gone', sha: null, message: null }),
    ]);
  });

  const pushOf = (about: object) => ({
    kind: 'push',
    repository: { id: uuid, fullName: 'acme/site' },
    installationId: null,
    pusher: 'bob',
    ...about,
  });

  it('other events are of no concern, and what has no id has that of its body', () => {
    expect(read(pushed, { 'x-event-key': 'repo:updated' }).events).toEqual([]);
    const without = { 'x-request-uuid': undefined };
    expect(read(pushed, without).id).toBe(read(pushed, without).id);
    expect(read({ ...pushed, actor: null }, without).id).not.toBe(read(pushed, without).id);
  });

  it.each([
    ['no signature', pushed, { 'x-hub-signature': undefined }],
    ['a wrong signature', pushed, { 'x-hub-signature': `sha256=${'0'.repeat(64)}` }],
    ['a weaker signature', pushed, { 'x-hub-signature': `sha1=${'0'.repeat(40)}` }],
    ["another repository's secret", pushed, { secret: secretOf('{other}') }],
    ['a body of another repository', { ...pushed, repository: { uuid: '{other}', full_name: 'acme/site' } }, {}],
    ['no repository', { push: pushed.push }, {}],
    ['another shape', { ...pushed, push: {} }, {}],
  ])('is forged with %s', (_what, body, headers) => {
    expect(() => read(body, headers)).toThrow(ForgedDelivery);
  });

  it('is forged when it was sent to the address of another repository, or of none', () => {
    const body = Buffer.from(JSON.stringify(pushed));
    const signature = `sha256=${createHmac('sha256', secretOf(uuid)).update(body).digest('hex')}`;
    const headers = { 'x-event-key': 'repo:push', 'x-hub-signature': signature };
    expect(host.mayBeGenuine({ headers, query })).toBe(true);
    expect(host.mayBeGenuine({ headers, query: {} })).toBe(false);
    for (const wrong of [{}, { repository: '' }, { repository: '{other}' }]) {
      expect(() => host.readDelivery({ headers, query: wrong, body })).toThrow(ForgedDelivery);
    }
  });

  it('is not parsed before it is proved', () => {
    const parse = vi.spyOn(JSON, 'parse');
    const headers = { 'x-hub-signature': `sha256=${'0'.repeat(64)}` };
    const body = Buffer.from('['.repeat(1000));
    expect(() => host.readDelivery({ headers, query: query, body })).toThrow(ForgedDelivery);
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  it('is forged when a byte of the body is another', () => {
    const body = Buffer.from(JSON.stringify(pushed));
    const signature = createHmac('sha256', secretOf(uuid)).update(body).digest('hex');
    const headers = { 'x-event-key': 'repo:push', 'x-hub-signature': `sha256=${signature}` };
    expect(host.readDelivery({ headers, query, body }).events).toHaveLength(3);
    const altered = Buffer.from(body.toString().replace('feat/x', 'feat/y'));
    expect(() => host.readDelivery({ headers, query, body: altered })).toThrow(ForgedDelivery);
  });
});
