import { PassThrough } from 'node:stream';
import type { GitProvider } from '@lilac/contract/states';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { WebhookRequest } from '../../../vcs/vcs-host.ts';
import { deliveryJob } from './job-kinds.ts';
import { openPushWorld, type PushWorld } from './testing/push-world.ts';

let world: PushWorld;
beforeAll(async () => {
  world = await openPushWorld({ isIdle: true });
  await world.addRepository('acme/shop');
});
afterAll(() => world[Symbol.asyncDispose]());

const stored = async () => {
  const { rows } = await world.api.store.pool.query(
    `select provider, delivery_id, event, events, (
       select count(*)::int from jobs where kind = $1 and payload ->> 'deliveryId' = delivery_id
     ) as jobs from vcs_deliveries order by received_at, delivery_id`,
    [deliveryJob.name],
  );
  return rows as {
    provider: string;
    delivery_id: string;
    event: string;
    events: { message?: string }[];
    jobs: number;
  }[];
};
const storedAs = async (id: string) => (await stored()).filter(({ delivery_id }) => delivery_id === id);

describe.each(['provider1', 'provider2', 'provider3'] as const)('a webhook of %s', (provider) => {
  const host = () => world.hosts[provider];
  const installation = { kind: 'installation', installationId: 77, change: 'created' } as const;

  it('is written down together with its job, once', async () => {
    const request = host().delivery([installation], { id: `one of ${provider}`, event: 'a kind' });
    expect(await world.post(request, provider)).toMatchObject({ status: 200, body: { message: 'Received.' } });
    const again = await Promise.all([1, 2, 3].map(() => world.post(request, provider)));
    for (const { status, body } of again) {
      expect([status, body.message]).toEqual([200, 'This was received before: nothing is done again.']);
    }
    expect(await storedAs(`one of ${provider}`)).toEqual([
      { provider, delivery_id: `one of ${provider}`, event: 'a kind', events: [installation], jobs: 1 },
    ]);
  });

  it('of several at the same moment is written down once', async () => {
    const request = host().delivery([installation], { id: `many of ${provider}` });
    const answers = await Promise.all(Array.from({ length: 8 }, () => world.post(request, provider)));
    expect(answers.filter(({ body }) => body.message === 'Received.')).toHaveLength(1);
    expect(await storedAs(`many of ${provider}`)).toMatchObject([{ jobs: 1 }]);
  });

  it('that says nothing of concern is remembered, and no work', async () => {
    const request = host().delivery([], { id: `ping of ${provider}` });
    expect((await world.post(request, provider)).status).toBe(200);
    expect(await storedAs(`ping of ${provider}`)).toMatchObject([{ events: [], jobs: 0 }]);
  });

  it('is refused and forgotten when it is forged: unsigned, altered, or signed by another host', async () => {
    const before = await stored();
    const { headers, query, body } = host().delivery([installation], { id: 'forged' });
    const other = world.hosts[provider === 'provider1' ? 'provider2' : 'provider1'];
    const forged = [
      { headers: { 'content-type': 'application/json' }, query, body },
      { headers, query, body: Buffer.concat([body, Buffer.from(' ')]) },
      { headers: { ...headers, 'x-stand-in-signature': 'x' }, query, body },
      other.delivery([installation], { id: 'forged' }),
    ];
    for (const request of forged) {
      expect(await world.post(request, provider)).toMatchObject({ status: 401, body: { code: 'CA002' } });
    }
    expect(await stored()).toEqual(before);
  });

  it('is refused the same way where the host is not set up', async () => {
    host().isSetUp = false;
    const answer = await world.post(host().delivery([installation]), provider);
    host().isSetUp = true;
    expect(answer).toMatchObject({ status: 401, body: { code: 'CA002' } });
  });
});

describe('the body of a webhook', () => {
  const about = { kind: 'push', repository: { id: '1', fullName: 'a/b' }, installationId: 1, pusher: null } as const;

  it('is taken as it came, whatever it is called, up to 25 MiB and no more', async () => {
    const message = 'x'.repeat(20 * 1024 * 1024);
    const large = world.hosts.provider1.delivery([{ ...about, branch: 'main', sha: 'a', message }], { id: 'large' });
    for (const type of ['application/x-www-form-urlencoded', 'text/plain']) {
      const request = { ...large, headers: { ...large.headers, 'content-type': type } };
      expect((await world.post(request)).status).toBe(200);
    }
    const [found] = await storedAs('large');
    expect(found!.events[0]!.message).toHaveLength(64 * 1024);
    const tooLarge = { ...large, body: Buffer.alloc(25 * 1024 * 1024 + 1) };
    expect(await world.post(tooLarge)).toMatchObject({
      status: 413,
      body: { code: 'LM001', message: 'The body is larger than 25 MiB.' },
    });
    const headers = { 'x-stand-in-signature': 'some' };
    const nothing = await world.api.app.inject({ method: 'POST', url: '/api/vcs-app/webhook', headers });
    expect(nothing.statusCode).toBe(400);
  });

  it('is not read when nothing shows whose it is', async () => {
    const body = new PassThrough();
    const read = vi.spyOn(body, 'read');
    const headers = { 'content-type': 'application/json', 'content-length': String(20 * 1024 * 1024) };
    const url = '/api/vcs-app/webhook';
    const answer = await world.api.app.inject({ method: 'POST', url, headers, payload: body });
    expect(answer.statusCode).toBe(401);
    expect(read).not.toHaveBeenCalled();
  });

  it('is the same under another id at the first host, and may be said again of an installation', async () => {
    const post = (request: WebhookRequest, id: string, provider: GitProvider = 'provider1') =>
      world.post({ ...request, headers: { ...request.headers, 'x-stand-in-id': id } }, provider);
    const push = world.hosts.provider1.delivery([{ ...about, branch: 'main', sha: 'a', message: 'Once' }]);
    expect((await post(push, 'replayed 1')).body.message).toBe('Received.');
    expect((await post(push, 'replayed 2')).body.message).toContain('before');
    expect(await storedAs('replayed 2')).toEqual([]);
    const changed = { kind: 'installation', installationId: 77, change: 'changed' } as const;
    const installation = world.hosts.provider1.delivery([changed]);
    for (const id of ['changed 1', 'changed 2']) {
      expect((await post(installation, id)).body.message).toBe('Received.');
    }
  });

  it('may hold characters that the store cannot, and ids of any length', async () => {
    const event = { ...about, branch: 'main', sha: 'a', message: 'nul \0 and half \uD800' };
    const id = `long ${'x'.repeat(5000)}`;
    const request = world.hosts.provider1.delivery([event], { id });
    expect((await world.post(request)).status).toBe(200);
    expect((await world.post(request)).body.message).toContain('before');
    const found = (await stored()).find(({ events }) => JSON.stringify(events).includes('half'))!;
    expect(found.events).toMatchObject([{ message: 'nul \uFFFD and half \uFFFD' }]);
  });

  it('is not read where the feature is off, and endpoints of the contract keep their own limit', async () => {
    const { config } = world.api;
    const switches = config.featureSwitches;
    Object.assign(config, { featureSwitches: { ...switches, provider2: false } });
    const answer = await world.post(world.hosts.provider2.delivery([]), 'provider2');
    Object.assign(config, { featureSwitches: switches });
    expect(answer).toMatchObject({ status: 403, body: { code: 'FF001' } });
    const large = await world.call('/api/applications', { padding: 'x'.repeat(2 * 1024 * 1024) });
    expect(large).toMatchObject({ status: 413, body: { code: 'LM001' } });
    const get = await world.api.app.inject({ method: 'GET', url: '/api/vcs-app/webhook' });
    expect(get.statusCode).toBe(404);
  });
});
