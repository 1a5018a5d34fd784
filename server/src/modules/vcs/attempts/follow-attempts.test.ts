import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApiKey, createMember, createOwner, type TestOwner } from '../../../testing/factories.ts';
import { openStream, type OpenedStream } from '../../../testing/open-stream.ts';
import { createLinkBench, type LinkBench } from '../testing/link-bench.ts';

let bench: LinkBench;
let port: number;
let owner: TestOwner;
beforeAll(async () => {
  bench = await createLinkBench();
  await bench.api.app.listen({ port: 0, host: '127.0.0.1' });
  port = (bench.api.app.server.address() as AddressInfo).port;
});
afterAll(() => bench[Symbol.asyncDispose]());
beforeEach(async () => {
  owner = await createOwner(bench.api);
});

interface About {
  lastEventId?: string;
  token?: string;
  prefix?: string;
}

function follow({ lastEventId, token = owner.token, prefix = 'vcs-app' }: About = {}): Promise<OpenedStream> {
  return openStream({ port, path: `/api/${prefix}/organisation/${owner.organisationId}/stream`, token, lastEventId });
}
const told = ({ events }: OpenedStream) =>
  events.map(({ event, data }) => [event, JSON.parse(data) as Record<string, unknown>] as const);
const anyStatus = (status: string) => ['status', expect.objectContaining({ status }) as unknown];

describe('the stream of an installation', () => {
  it('tells that the person is at the host, then that it is linked, and ends', async () => {
    using stream = await follow();
    expect(stream.status).toBe(200);
    await bench.begin('provider1', owner);
    await stream.has(1);
    expect(told(stream)).toEqual([['status', { status: 'waiting', message: null }]]);
    const installationId = await bench.link('acme', owner);
    await stream.ended();
    expect(told(stream).at(-1)).toEqual(['linked', { installationId, accountLogin: 'acme' }]);
  });

  it('tells an attempt that goes on to whoever comes later', async () => {
    await bench.begin('provider1', owner);
    using stream = await follow();
    await stream.has(1);
    expect(told(stream)).toEqual([['status', { status: 'waiting', message: null }]]);
  });

  it('tells why it was refused, and goes on to the next attempt', async () => {
    using stream = await follow();
    const { state, cookie } = await bench.begin('provider1', owner);
    await stream.has(1);
    await bench.comeBack({ state, error: 'access_denied' }, { cookie });
    await stream.has(2);
    expect(told(stream)[1]).toEqual(['status', { status: 'refused', message: 'You did not allow it at the host.' }]);
    await bench.link('again', owner);
    await stream.ended();
    expect(told(stream).at(-1)?.[0]).toBe('linked');
  });

  it('is told by whichever attempt was linked, not only by the one begun last', async () => {
    const { provider1 } = bench.hosts;
    provider1.people.add('ada', { administers: ['early'] });
    const early = await bench.begin('provider1', owner);
    bench.api.clock.advance(1000);
    await bench.begin('provider1', owner);
    using stream = await follow();
    await stream.has(1);
    bench.api.clock.advance(1000);
    const installation_id = String(provider1.addInstallation('early').id);
    const query = { state: early.state, installation_id, code: provider1.people.codeFor('ada') };
    expect((await bench.comeBack(query, { cookie: early.cookie })).status).toBe(200);
    await stream.ended();
    expect(told(stream).at(-1)).toEqual(['linked', { installationId: Number(installation_id), accountLogin: 'early' }]);
  });

  it('does not let who comes at once after miss it, and tells nobody twice', async () => {
    const installationId = await bench.link('quick', owner);
    using late = await follow();
    await late.ended();
    expect(told(late)).toEqual([['linked', { installationId, accountLogin: 'quick' }]]);
    // A browser comes again by itself when a stream ends.
    using again = await follow({ lastEventId: late.lastEventId() });
    const { cookie, state } = await bench.begin('provider1', owner);
    await again.has(1);
    expect(told(again)).toEqual([anyStatus('waiting')]);
    await bench.comeBack({ state, setup_action: 'request' }, { cookie });
    await again.has(2);
    expect(told(again).at(-1)).toEqual(anyStatus('requested'));
  });

  it('tells who was cut off what happened meanwhile, though it is long ago', async () => {
    const { cookie, state } = await bench.begin('provider1', owner);
    using first = await follow();
    await first.has(1);
    const lastEventId = first.lastEventId();
    first.close();
    const { provider1 } = bench.hosts;
    provider1.people.add('ada', { administers: ['patient'] });
    const installation_id = String(provider1.addInstallation('patient').id);
    await bench.comeBack({ state, installation_id, code: provider1.people.codeFor('ada') }, { cookie });
    bench.api.clock.advance(10 * 60 * 1000);
    using second = await follow({ lastEventId });
    await second.ended();
    expect(told(second)).toEqual([['linked', { installationId: Number(installation_id), accountLogin: 'patient' }]]);
  });

  it('holds nothing against whoever sends nonsense as the last event', async () => {
    const installationId = await bench.link('plain', owner);
    for (const lastEventId of ['none', '5', 'x'.repeat(500), "'; drop table vcs_attempts; --"]) {
      using stream = await follow({ lastEventId });
      await stream.ended();
      expect(told(stream)).toEqual([['linked', { installationId, accountLogin: 'plain' }]]);
    }
  });

  it("tells nothing of another organisation's attempts, nor to strangers", async () => {
    const other = await createOwner(bench.api);
    using stream = await follow();
    await bench.link('foreign', other);
    await bench.begin('provider2', owner);
    await bench.begin('provider1', owner);
    await stream.has(1);
    expect(told(stream)).toEqual([anyStatus('waiting')]);
    using refused = await follow({ token: other.token });
    expect(refused.status).toBe(403);
  });

  it('is for members and keys that may read', async () => {
    const { organisationId } = owner;
    await bench.begin('provider1', owner);
    const member = await createMember(bench.api, { organisationId, role: 'user' });
    const { secret } = await createApiKey(bench.api, { organisationId, role: 'user' });
    for (const token of [member.token, secret]) {
      using stream = await follow({ token });
      await stream.has(1);
      expect(told(stream)).toEqual([anyStatus('waiting')]);
    }
  });
});

describe.each(['provider2', 'provider3'] as const)('the stream of a connection at %s', (provider) => {
  it('tells that it is linked, and ends', async () => {
    using stream = await follow({ prefix: provider });
    const { state, cookie } = await bench.begin(provider, owner);
    await bench.comeBack({ state, code: bench.hosts[provider].people.codeFor('ada') }, { provider, cookie });
    await stream.ended();
    const connectionId = expect.stringMatching(/^vcc_/) as string;
    expect(told(stream).at(-1)).toEqual(['linked', { connectionId, accountLogin: 'ada' }]);
  });
});
