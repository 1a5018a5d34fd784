import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Fault } from '../lib/fault.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { cloneBranches } from '../testing/git-push.ts';
import { createHostFetch, type HostFetch } from './host-fetch.ts';
import type { HostRig } from './testing/host-rig.ts';
import {
  commitStates,
  ForgedDelivery,
  HostUnavailable,
  type CommitStatus,
  type HostAccess,
  type HostRepository,
  type VcsHost,
  type WebhookRequest,
} from './vcs-host.ts';

/** A host together with a rig of it. */
export interface HostSubject<R extends HostRig, H extends VcsHost> {
  /** With an access to all that is below `acme`, and another to what is below `carol`. */
  startRig(): Promise<R>;
  /** Of how many a page of the rig's lists has, at most. */
  pageSize: number;
  createHost(rig: R, fetch: HostFetch): H;
  /** As another platform has it, which is known to the host under other secrets. */
  createForeignHost(rig: R, fetch: HostFetch): H;
  accessTo(rig: R, account: 'acme' | 'carol'): Promise<HostAccess>;
  /** Has the host tell of pushes to this repository. */
  hook(rig: R, host: H, hook: { repository: HostRepository; url: string; access: HostAccess }): Promise<void>;
  /** Whether what git is given opens one repository alone. */
  narrowsCredentials: boolean;
  /** Whether webhooks prove what they say, and not only who sends them. */
  signsBodies: boolean;
}

/** What holds for every host, whichever it is. */
export function describeHost<R extends HostRig, H extends VcsHost>(name: string, subject: HostSubject<R, H>): void {
  describe(`${name}: repositories`, () => {
    let rig: R;
    let host: H;
    let ours: HostAccess;
    let theirs: HostAccess;
    let shown: HostRepository;
    let hidden: HostRepository;
    const nobody: HostAccess = { kind: 'public' };
    const nowhere = { owner: 'acme', name: 'nowhere' };

    beforeAll(async () => {
      rig = await subject.startRig();
      host = subject.createHost(rig, createHostFetch());
      ours = await subject.accessTo(rig, 'acme');
      theirs = await subject.accessTo(rig, 'carol');
      shown = await rig.createRepository('acme/shown', { files: { 'index.html': 'hello' } });
      hidden = await rig.createRepository('acme/hidden', { isPrivate: true, files: { 'index.html': 'secret' } });
    });
    afterAll(() => rig[Symbol.asyncDispose]());

    it('are listed all, in order, however many pages they are, and nobody else’s', async () => {
      const more: HostRepository[] = [];
      for (let index = 0; index < subject.pageSize; index += 1) {
        more.push(
          await rig.createRepository(`acme/many-${String(index).padStart(3, '0')}`, { isPrivate: index % 2 > 0 }),
        );
      }
      const others = await rig.createRepository('carol/hers', { isPrivate: true });
      const listed = await host.listRepositories(ours);
      expect(listed.map(({ fullName }) => fullName)).toEqual(
        [shown, hidden, ...more].map(({ fullName }) => fullName).toSorted(),
      );
      expect(listed).toContainEqual(shown);
      expect(listed).toContainEqual(hidden);
      expect(await host.listRepositories(theirs)).toMatchObject([{ id: others.id, fullName: 'carol/hers' }]);
    });

    it('are found by their names', async () => {
      expect(await host.findRepository(ours, shown)).toEqual(shown);
      expect(await host.findRepository(ours, hidden)).toEqual(hidden);
      expect(await host.findRepository(nobody, shown)).toEqual(shown);
      expect(await host.findRepository(ours, nowhere)).toBeNull();
    });

    it('are not there for those whom they are not for, when they are private', async () => {
      for (const access of [theirs, nobody]) {
        expect(await host.findRepository(access, hidden)).toBeNull();
        expect(await host.listBranches(access, hidden)).toBeNull();
        expect(await host.gitCredential(access, hidden)).toBeNull();
      }
    });

    it('have branches, as git has them, however many', async () => {
      const names = Array.from(
        { length: subject.pageSize },
        (_, index) => `feat/branch-${String(index).padStart(3, '0')}`,
      );
      const pushed = [];
      for (const branch of names) {
        pushed.push({ name: branch, sha: await rig.push('acme/hidden', { branch, files: { [branch]: 'x' } }) });
      }
      const listed = await host.listBranches(ours, hidden);
      expect(listed?.slice(0, -1)).toEqual(pushed);
      expect(listed?.at(-1)).toMatchObject({ name: 'main' });
      const credential = await host.gitCredential(ours, hidden);
      const cloned = await cloneBranches({ url: `${rig.url}/acme/hidden.git`, credential });
      expect(Object.fromEntries((listed ?? []).map((branch) => [branch.name, branch.sha]))).toEqual(cloned);
      expect(await host.listBranches(ours, nowhere)).toBeNull();
      expect((await host.listBranches(nobody, shown))?.map((branch) => branch.name)).toEqual(['main']);
    });

    it('are cloned by git with what it is given for them, and not without', async () => {
      const target = { url: `${rig.url}/acme/hidden.git`, credential: await host.gitCredential(ours, hidden) };
      expect(await cloneBranches(target)).toHaveProperty('main');
      await expect(cloneBranches({ ...target, credential: null })).rejects.toThrow('git fetch');
      const wrong = { ...target.credential!, password: `${target.credential?.password}x` };
      await expect(cloneBranches({ ...target, credential: wrong })).rejects.toThrow('git fetch');
      expect(await host.gitCredential(ours, nowhere)).toBeNull();
      await rig.createRepository('carol/secret', { isPrivate: true, files: { a: '1' } });
      await expect(cloneBranches({ ...target, url: `${rig.url}/carol/secret.git` })).rejects.toThrow('git fetch');
    });

    it.runIf(subject.narrowsCredentials)('are each opened by their own alone', async () => {
      const other = await rig.createRepository('acme/other', { isPrivate: true, files: { a: '1' } });
      const credential = await host.gitCredential(ours, hidden);
      await expect(cloneBranches({ url: `${rig.url}/acme/other.git`, credential })).rejects.toThrow('git fetch');
      const right = await host.gitCredential(ours, other);
      expect(await cloneBranches({ url: `${rig.url}/acme/other.git`, credential: right })).toHaveProperty('main');
    });
  });

  describe(`${name}: commit statuses`, () => {
    let rig: R;
    let host: H;
    let ours: HostAccess;
    let status: CommitStatus;

    beforeAll(async () => {
      rig = await subject.startRig();
      host = subject.createHost(rig, createHostFetch());
      ours = await subject.accessTo(rig, 'acme');
      const repository = await rig.createRepository('acme/site', { isPrivate: true, files: { a: '1' } });
      const sha = await rig.push('acme/site', { files: { a: '2' } });
      const url = 'https://site.example.org/';
      status = { repository, sha, state: 'pending', context: 'lilac/production', description: 'Building', url };
    });
    afterAll(() => rig[Symbol.asyncDispose]());

    it('tell how a deployment stands, one after the other', async () => {
      for (const state of commitStates) {
        await host.writeStatus(ours, { ...status, state, context: 'lilac/states', description: `It is ${state}.` });
      }
      const { url } = status;
      const written = await rig.statusesOf('acme/site', status.sha);
      expect(written).toEqual(
        commitStates.map((state) => ({ context: 'lilac/states', state, description: `It is ${state}.`, url })),
      );
    });

    it('are the same when they are written again, and stand beside those of other environments', async () => {
      const ofContext = async (context: string) =>
        (await rig.statusesOf('acme/site', status.sha)).filter((each) => each.context === context);
      for (const context of ['lilac/production', 'lilac/preview', 'lilac/production']) {
        await host.writeStatus(ours, { ...status, context });
      }
      expect(await ofContext('lilac/production')).toHaveLength(1);
      expect(await ofContext('lilac/preview')).toHaveLength(1);
      await host.writeStatus(ours, { ...status, state: 'success' });
      expect((await ofContext('lilac/production')).at(-1)).toMatchObject({ state: 'success' });
    });

    it('may say much, and say it shorter', async () => {
      await host.writeStatus(ours, { ...status, context: 'lilac/long', description: 'é'.repeat(400) });
      expect(await rig.statusesOf('acme/site', status.sha)).toContainEqual(
        expect.objectContaining({ context: 'lilac/long', description: expect.stringMatching(/^é{100}/) as string }),
      );
    });

    it('are refused in words where there is no such commit, or it is not for this access', async () => {
      const unknown = { ...status, sha: '1'.repeat(40) };
      await expect(host.writeStatus(ours, unknown)).rejects.toBeInstanceOf(Fault);
      const theirs = await subject.accessTo(rig, 'carol');
      await expect(host.writeStatus(theirs, status)).rejects.toBeInstanceOf(Fault);
      expect(await rig.statusesOf('acme/site', unknown.sha)).toEqual([]);
    });
  });

  describe(`${name}: webhooks`, () => {
    let rig: R;
    let host: H;
    let repository: HostRepository;
    let receiver: Receiver;

    beforeAll(async () => {
      rig = await subject.startRig();
      host = subject.createHost(rig, createHostFetch());
      receiver = await startReceiver();
      repository = await rig.createRepository('acme/site', { isPrivate: true, files: { a: '1' } });
      const access = await subject.accessTo(rig, 'acme');
      await subject.hook(rig, host, { repository, url: receiver.url, access });
    });
    afterAll(async () => {
      await receiver[Symbol.asyncDispose]();
      await rig[Symbol.asyncDispose]();
    });
    const eventsAfter = async (act: () => Promise<unknown>) => {
      const before = receiver.received.length;
      await act();
      return receiver.received.slice(before).flatMap((request) => host.readDelivery(request).events);
    };

    it('tell of a push: where the branch is now, and what is said of it', async () => {
      let sha = '';
      const events = await eventsAfter(async () => {
        sha = await rig.push('acme/site', {
          branch: 'feat/x',
          files: { a: '2' },
          message: 'Zweî [skip deploy]\n\nmore',
        });
      });
      expect(events).toEqual([
        expect.objectContaining({
          kind: 'push',
          repository: { id: repository.id, fullName: 'acme/site' },
          branch: 'feat/x',
          sha,
          message: expect.stringMatching(/^Zweî \[skip deploy\]\n\nmore\n?$/) as string,
          pusher: 'alice',
        }),
      ]);
    });

    it('tell of a branch that was deleted', async () => {
      await rig.push('acme/site', { branch: 'gone', files: { a: '3' } });
      const events = await eventsAfter(() => rig.deleteBranch('acme/site', 'gone'));
      expect(events).toEqual([expect.objectContaining({ kind: 'push', branch: 'gone', sha: null })]);
    });

    it('are the same delivery when they are sent again, and others when they are others', async () => {
      await rig.push('acme/site', { files: { a: '4' } });
      await rig.push('acme/site', { files: { a: '5' } });
      await rig.redeliver(rig.deliveries.length - 1);
      const [one, two, again] = receiver.received.slice(-3).map((request) => host.readDelivery(request));
      expect(again).toEqual(two);
      expect(one?.id).not.toBe(two?.id);
    });

    it('are refused when they are forged, altered, unsigned or meant for somebody else', async () => {
      await rig.push('acme/site', { files: { a: '6' } });
      const { headers, body } = receiver.received.at(-1)!;
      const refuse = (request: WebhookRequest, by: VcsHost = host) =>
        expect(() => by.readDelivery(request)).toThrow(ForgedDelivery);
      const altered = Buffer.from(body.toString().replace('acme/site', 'acme/evil'));
      expect(altered).not.toEqual(body);
      expect(host.readDelivery({ headers, body }).events).toHaveLength(1);
      if (subject.signsBodies) refuse({ headers, body: altered });
      refuse({ headers, body: Buffer.from('{"repository": 1') });
      refuse({ headers, body: Buffer.alloc(0) });
      refuse({ headers: {}, body });
      for (const name of ['x-hub-signature-256', 'x-hub-signature', 'x-gitlab-token']) {
        const value = headers[name];
        if (value === undefined) continue;
        refuse({ headers: { ...headers, [name]: undefined }, body });
        refuse({ headers: { ...headers, [name]: '' }, body });
        refuse({ headers: { ...headers, [name]: `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}` }, body });
        refuse({ headers: { ...headers, [name]: `${value}0` }, body });
        refuse({ headers: { ...headers, [name]: value.slice(0, -1) }, body });
      }
      refuse({ headers, body }, subject.createForeignHost(rig, createHostFetch()));
    });
  });

  describe(`${name}: a host in trouble`, () => {
    let rig: R;
    let ours: HostAccess;
    let status: CommitStatus;
    beforeAll(async () => {
      rig = await subject.startRig();
      ours = await subject.accessTo(rig, 'acme');
      const repository = await rig.createRepository('acme/site', { isPrivate: true, files: { a: '1' } });
      const sha = await rig.push('acme/site', { files: { a: '2' } });
      status = {
        repository,
        sha,
        state: 'success',
        context: 'lilac/x',
        description: 'Live',
        url: 'https://x.example/',
      };
    });
    afterAll(() => rig[Symbol.asyncDispose]());

    /** All that is asked of a host, by one that has kept nothing, and by one that has. */
    const failuresOf = async (host: VcsHost): Promise<unknown[]> => {
      const name = status.repository;
      const asked = [
        host.listRepositories(ours),
        host.findRepository(ours, name),
        host.listBranches(ours, name),
        host.writeStatus(ours, status),
      ];
      const settled = await Promise.allSettled(asked);
      return settled.map((each) => (each.status === 'rejected' ? (each.reason as unknown) : null));
    };
    const secretsOf = async (host: VcsHost): Promise<string[]> => {
      const credential = await host.gitCredential(ours, status.repository);
      const token = ours.kind === 'person' ? ours.accessToken : '';
      return [credential?.password ?? '', token, rig.settings.clientSecret].filter(Boolean);
    };

    it.each(['down', 'slow'] as const)(
      'that is %s is said to be so, by its name and without a secret',
      async (kind) => {
        const fetch = createHostFetch({ timeoutMs: 1500 });
        const warm = subject.createHost(rig, fetch);
        const secrets = await secretsOf(warm);
        rig.trouble(kind);
        try {
          for (const host of [warm, subject.createHost(rig, fetch)]) {
            for (const failure of await failuresOf(host)) {
              expect(failure).toBeInstanceOf(HostUnavailable);
              expect((failure as HostUnavailable).message).toContain(new URL(rig.url).host);
              const told = inspect(failure, { depth: 20, showHidden: true });
              for (const secret of secrets) expect(told).not.toContain(secret);
            }
          }
        } finally {
          rig.trouble(null);
        }
        expect(await warm.findRepository(ours, status.repository)).toEqual(status.repository);
      },
    );

    it('that wants patience gets it', async () => {
      const clock = createFakeClock();
      const host = subject.createHost(rig, createHostFetch({ clock }));
      expect(await host.listBranches(ours, status.repository)).toHaveLength(1);
      rig.trouble({ rateLimited: 600 });
      try {
        const failure = await host.listBranches(ours, status.repository).catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(HostUnavailable);
        expect((failure as HostUnavailable).retryAfterSeconds).toBeGreaterThan(590);
        expect((failure as HostUnavailable).retryAfterSeconds).toBeLessThan(610);
        const { apiCalls } = rig;
        await expect(host.listBranches(ours, status.repository)).rejects.toBeInstanceOf(HostUnavailable);
        expect(rig.apiCalls).toBe(apiCalls);
      } finally {
        rig.trouble(null);
      }
      clock.advance(620_000);
      expect(await host.listBranches(ours, status.repository)).toHaveLength(1);
    });

    it('is left when whoever asked has gone', async () => {
      const host = subject.createHost(rig, createHostFetch());
      const leaving = new AbortController();
      rig.trouble('slow');
      try {
        const asked = host.listRepositories(ours, { signal: leaving.signal });
        leaving.abort(new Error('gone'));
        await expect(asked).rejects.toThrow('gone');
      } finally {
        rig.trouble(null);
      }
    });
  });
}

interface Receiver extends AsyncDisposable {
  received: WebhookRequest[];
  url: string;
}

/** Where a platform would take webhooks. */
async function startReceiver(): Promise<Receiver> {
  const received: WebhookRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      received.push({ headers: request.headers as WebhookRequest['headers'], body: Buffer.concat(chunks) });
      response.end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
