import { describe, expect, it, vi } from 'vitest';
import { describeHost } from '../testing/conformance.ts';
import {
  accessOf,
  asHostSubject,
  describeConnections,
  hostAt,
  webhookKey,
  type ConnectionSubject,
} from '../connection/testing/connection-suite.ts';
import { hookSecret } from '../connection/hook-secret.ts';
import { hostOfAnswers, someone } from '../connection/testing/host-of-answers.ts';
import { startGitlabRig } from '../testing/gitlab-rig.ts';
import { ForgedDelivery, HostUnavailable } from '../vcs-host.ts';
import { createGitlab } from './create-gitlab.ts';

const subject: ConnectionSubject = { startRig: startGitlabRig, createHost: createGitlab };

describeHost('GitLab', asHostSubject(subject));
describeConnections('GitLab', subject);

describe('GitLab: projects', () => {
  it('stand in groups within groups', async () => {
    await using rig = await startGitlabRig();
    const host = hostAt(subject, rig);
    const access = await accessOf(rig, 'bob');
    const made = await rig.createRepository('acme/inner/site', { isPrivate: true, files: { a: '1' } });
    expect(made).toMatchObject({ owner: 'acme/inner', name: 'site' });
    expect(await host.findRepository(access, made)).toEqual(made);
    expect(await host.listRepositories(access)).toEqual([made]);
    expect(await host.listBranches(access, made)).toMatchObject([{ name: 'main' }]);
  });

  it('have no default branch while they are empty', async () => {
    await using rig = await startGitlabRig();
    const host = hostAt(subject, rig);
    const made = await rig.createRepository('acme/empty');
    expect(made.defaultBranch).toBeNull();
    expect(await host.findRepository(await accessOf(rig, 'alice'), made)).toEqual(made);
    expect(await host.listBranches(await accessOf(rig, 'alice'), made)).toEqual([]);
  });

  it.each([
    [{ visibility: 'internal' }, true],
    [{ visibility: 'private' }, true],
    [{ visibility: 'public' }, false],
    [{ visibility: 'public', repository_access_level: 'private' }, true],
    [{}, false],
  ])('whose files not everybody reads are private: %o', async (told, isPrivate) => {
    const project = { id: 7, path: 'site', path_with_namespace: 'acme/site', default_branch: 'main', ...told };
    const { host } = hostOfAnswers(createGitlab, ({ url }) =>
      Response.json(url.includes('/repository/branches') ? [] : project),
    );
    expect(await host.findRepository(someone, { owner: 'acme', name: 'site' })).toMatchObject({ id: '7', isPrivate });
  });

  it('are not reached by guests, who see them and not their files', async () => {
    await using rig = await startGitlabRig({ guests: ['carol'] });
    const host = hostAt(subject, rig);
    const made = await rig.createRepository('acme/site', { isPrivate: true, files: { a: '1' } });
    const [guest, member] = [await accessOf(rig, 'carol'), await accessOf(rig, 'bob')];
    expect(await host.findRepository(guest, made)).toBeNull();
    expect(await host.gitCredential(guest, made)).toBeNull();
    expect(await host.listBranches(guest, made)).toBeNull();
    expect(await host.findRepository(member, made)).toEqual(made);
  });

  it('of which nobody may read a file stay out of reach, though everybody sees them', async () => {
    const project = { id: 7, path: 'site', path_with_namespace: 'acme/site', visibility: 'public' };
    const { host, asked } = hostOfAnswers(createGitlab, ({ url }) =>
      url.includes('/repository/branches')
        ? Response.json({ message: '403 Forbidden' }, { status: 403 })
        : Response.json(project),
    );
    expect(await host.findRepository({ kind: 'public' }, { owner: 'acme', name: 'site' })).toBeNull();
    expect(new URL(asked[1]!.url).searchParams.get('per_page')).toBe('1');
    expect(asked).toHaveLength(2);
  });

  it('are listed from nowhere but the host, wherever the next page is said to be', async () => {
    const project = { id: 7, path: 'site', path_with_namespace: 'acme/site', visibility: 'public' };
    const link = '<https://evil.example/projects?id_after=7&per_page=100>; rel="next"';
    const { host, asked } = hostOfAnswers(createGitlab, (_, index) =>
      Response.json([{ ...project, id: 7 + index }], index === 0 ? { headers: { link } } : {}),
    );
    expect(await host.listRepositories(someone)).toHaveLength(2);
    expect(asked.map(({ url }) => new URL(url).origin)).toEqual(Array(2).fill('https://api.host.example'));
    expect(new URL(asked[1]!.url).searchParams.get('id_after')).toBe('7');
  });

  it('that never end, or are a page for people, are a host that is not itself', async () => {
    const link = '<https://api.host.example/v/projects?id_after=7>; rel="next"';
    const endless = hostOfAnswers(createGitlab, () => Response.json([], { headers: { link } }));
    await expect(endless.host.listRepositories(someone)).rejects.toThrow(HostUnavailable);
    const page = hostOfAnswers(createGitlab, () => new Response('<h1>Sign in</h1>'));
    await expect(page.host.findRepository(someone, { owner: 'a', name: 'b' })).rejects.toThrow(HostUnavailable);
  });
});

describe('GitLab: statuses', () => {
  const status = {
    state: 'pending',
    context: 'lilac/production',
    description: 'Building '.repeat(40),
    url: 'https://site.example/',
  } as const;

  it('may be said again, and begin anew after the end', async () => {
    await using rig = await startGitlabRig();
    const host = hostAt(subject, rig);
    const repository = await rig.createRepository('acme/site', { isPrivate: true, files: { a: '1' } });
    const sha = await rig.push('acme/site', { files: { a: '2' } });
    const access = await accessOf(rig, 'bob');
    for (const state of ['pending', 'pending', 'success', 'pending', 'cancelled'] as const) {
      await host.writeStatus(access, { ...status, repository, sha, state });
    }
    const written = await rig.statusesOf('acme/site', sha);
    expect(written.map(({ state }) => state)).toEqual(['pending', 'success', 'pending', 'cancelled']);
  });

  it('of a project where the connection may not write them say what is needed', async () => {
    await using rig = await startGitlabRig();
    const host = hostAt(subject, rig);
    const repository = await rig.createRepository('acme/site', { files: { a: '1' } });
    const sha = await rig.push('acme/site', { files: { a: '2' } });
    const writing = host.writeStatus(await accessOf(rig, 'carol'), { ...status, repository, sha });
    await expect(writing).rejects.toMatchObject({ code: 'VA003', message: expect.stringContaining('developer') });
  });

  it('that the host refuses for another reason are an error', async () => {
    const { host } = hostOfAnswers(createGitlab, () => Response.json({ message: 'ref is invalid' }, { status: 400 }));
    const repository = { owner: 'acme', name: 'site' };
    await expect(host.writeStatus(someone, { ...status, repository, sha: 'a'.repeat(40) })).rejects.toThrow(
      'ref is invalid',
    );
  });
});

const secretOf = (id: number) => hookSecret(webhookKey, { provider: 'provider2', repositoryId: String(id) });

describe('GitLab: hooks and what they bring', () => {
  const { host } = hostOfAnswers(createGitlab, () => new Response());
  const pushed = {
    object_kind: 'push',
    ref: 'refs/heads/feat/x',
    after: 'a'.repeat(40),
    user_username: 'bob',
    project_id: 7,
    project: { id: 7, path_with_namespace: 'acme/inner/site' },
    commits: [
      { id: 'b'.repeat(40), message: 'Earlier' },
      { id: 'a'.repeat(40), message: 'Head\n' },
    ],
  };
  const read = (body: object, headers: Record<string, string | undefined> = {}, query = { repository: '7' }) =>
    host.readDelivery({
      query,
      headers: { 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': secretOf(7), 'idempotency-key': 'k', ...headers },
      body: Buffer.from(JSON.stringify(body)),
    });

  it('an address that the host does not take says what to do', async () => {
    const refusing = hostOfAnswers(createGitlab, ({ method }) =>
      method === 'GET' ? Response.json([]) : Response.json({ error: 'Invalid url given' }, { status: 422 }),
    );
    const repository = { id: '7', owner: 'a', name: 'b', fullName: 'a/b', isPrivate: true, defaultBranch: null };
    const making = refusing.host.ensureHook(someone, { repository, url: 'http://localhost/hook' });
    await expect(making).rejects.toMatchObject({
      code: 'CF001',
      message: expect.stringContaining('http://localhost/hook'),
    });
  });

  it('a push names the branch, its head and what that says', () => {
    expect(read(pushed)).toEqual({
      id: 'k',
      event: 'Push Hook',
      events: [
        {
          kind: 'push',
          repository: { id: '7', fullName: 'acme/inner/site' },
          installationId: null,
          branch: 'feat/x',
          sha: 'a'.repeat(40),
          message: 'Head\n',
          pusher: 'bob',
        },
      ],
    });
  });

  it('a deleted branch is nowhere; a tag is no branch; other events are of no concern', () => {
    expect(read({ ...pushed, after: '0'.repeat(40), commits: [] }).events).toMatchObject([
      { sha: null, message: null },
    ]);
    expect(read({ ...pushed, ref: 'refs/tags/v1' }).events).toEqual([]);
    expect(read({ project: { id: 7 } }, { 'x-gitlab-event': 'Pipeline Hook' }).events).toEqual([]);
  });

  it('the branches of one push are deliveries of their own, with an older host too', () => {
    const headers = { 'idempotency-key': undefined, 'x-gitlab-event-uuid': 'one-event' };
    const one = read(pushed, headers).id;
    expect(read(pushed, headers).id).toBe(one);
    expect(read({ ...pushed, ref: 'refs/heads/other' }, headers).id).not.toBe(one);
    expect(read(pushed, { 'idempotency-key': undefined }).id).not.toBe(one);
  });

  it.each([
    ['no token', pushed, { 'x-gitlab-token': undefined }],
    ['a wrong token', pushed, { 'x-gitlab-token': 'wrong' }],
    ["another project's token", pushed, { 'x-gitlab-token': secretOf(8) }],
    ['a body of another project', { ...pushed, project_id: 8, project: { id: 8, path_with_namespace: 'a/b' } }, {}],
    ['two projects', { ...pushed, project: { id: 8, path_with_namespace: 'a/b' } }, {}],
    ['no project', { object_kind: 'push' }, {}],
    ['another shape', { ...pushed, commits: 'none' }, {}],
  ])('is forged with %s', (_what, body, headers) => {
    expect(() => read(body, headers)).toThrow(ForgedDelivery);
  });

  it('is forged when it was sent to the address of another project, or of none', () => {
    expect(read(pushed).events).toHaveLength(1);
    expect(() => read(pushed, {}, { repository: '8' })).toThrow(ForgedDelivery);
    expect(() => read(pushed, {}, { repository: '' })).toThrow(ForgedDelivery);
    expect(() => read(pushed, { 'x-gitlab-token': secretOf(8) }, { repository: '8' })).toThrow(ForgedDelivery);
  });

  it('is known as forged without its body', () => {
    const [headers, query] = [{ 'x-gitlab-token': secretOf(7) }, { repository: '7' }];
    expect(host.mayBeGenuine({ headers, query })).toBe(true);
    expect(host.mayBeGenuine({ headers, query: {} })).toBe(false);
    expect(host.mayBeGenuine({ headers, query: { repository: '8' } })).toBe(false);
  });

  it('is not parsed before it is proved', () => {
    const parse = vi.spyOn(JSON, 'parse');
    const headers = { 'x-gitlab-token': 'guessed' };
    const body = Buffer.from('['.repeat(1000));
    expect(() => host.readDelivery({ headers, query: { repository: '7' }, body })).toThrow(ForgedDelivery);
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  it('is forged when it is not JSON', () => {
    const query = { repository: '7' };
    const request = { headers: { 'x-gitlab-token': secretOf(7) }, query, body: Buffer.from('{') };
    expect(() => host.readDelivery(request)).toThrow(ForgedDelivery);
  });
});
