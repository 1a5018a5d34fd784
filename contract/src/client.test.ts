import { describe, expect, expectTypeOf, it } from 'vitest';
import { ApiError, createClient, mayPass } from './client.ts';

interface Sent {
  url: string;
  init: RequestInit;
}

function clientThatGets(response: Response, options: { token?: () => Promise<string | null> } = {}) {
  const sent: Sent[] = [];
  const fetch = (url: unknown, init: RequestInit = {}) => {
    sent.push({ url: url as string, init });
    return Promise.resolve(response);
  };
  const client = createClient({
    baseUrl: 'https://lilac.example.org/',
    fetch,
    ...options,
  });
  return { client, sent };
}

const answer = (status: number) =>
  new ApiError({ status, code: 'SV002', message: 'Not now.', errorId: null, retryAfterSeconds: null });

describe('createClient', () => {
  it('sends the body as JSON with the method and path of the declaration', async () => {
    const { client, sent } = clientThatGets(Response.json({ id: 'app_1', status: 'healthy', url: 'http://x' }));
    const status = await client.call('applications.status', { body: { applicationId: 'app_1' } });
    expect(status).toEqual({ id: 'app_1', status: 'healthy', url: 'http://x' });
    expect(sent[0]?.url).toBe('https://lilac.example.org/api/applications/status');
    expect(sent[0]?.init).toMatchObject({ method: 'POST', body: '{"applicationId":"app_1"}' });
  });

  it('asks for the token before every call', async () => {
    const { client, sent } = clientThatGets(Response.json({}), { token: () => Promise.resolve('lc_x') });
    await client.call('config.platform');
    expect(sent[0]?.init.headers).toMatchObject({ authorization: 'Bearer lc_x' });
  });

  it('puts a query into the address and sends no body with GET', async () => {
    const { client, sent } = clientThatGets(Response.json({ memory: '1Gi', cpu: [] }));
    await client.call('config.containerplatform.compatible', { query: { memory: '1 Gi&' } });
    expect(sent[0]?.url).toBe('https://lilac.example.org/api/config/containerplatform/compatible?memory=1+Gi%26');
    expect(sent[0]?.init.body).toBeUndefined();
  });

  it('throws what the API answered, with its code', async () => {
    const answer = Response.json(
      { message: 'Too many.', code: 'CA009' },
      { status: 429, headers: { 'retry-after': '7' } },
    );
    const { client } = clientThatGets(answer);
    const failure = await client.call('health.get').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ status: 429, code: 'CA009', message: 'Too many.', retryAfterSeconds: 7 });
  });

  it('throws an ApiError also when a proxy answers something that is not JSON', async () => {
    const { client } = clientThatGets(new Response('<h1>Bad gateway</h1>', { status: 502, statusText: 'Bad Gateway' }));
    await expect(client.call('health.get')).rejects.toMatchObject({
      status: 502,
      code: 'HTTP502',
      message: 'Something between you and the platform answered 502 Bad Gateway, not the platform itself.',
      retryAfterSeconds: null,
    });
  });

  it.each([
    new Response('<h1>413 Request Entity Too Large</h1>', { status: 413, statusText: 'Payload Too Large' }),
    Response.json({ message: 'Too large.' }, { status: 413, statusText: 'Payload Too Large' }),
  ])('says what to do where a proxy, in whatever form, finds a body too large', async (refusal) => {
    await expect(clientThatGets(refusal).client.call('health.get')).rejects.toMatchObject({
      status: 413,
      code: 'HTTP413',
      message: expect.stringMatching(
        /^Something between you and the platform answered 413 Payload Too Large, .* limit on the size of bodies must be raised/,
      ),
    });
  });

  it('leaves the platform its own words about what is too large', async () => {
    const refusal = Response.json({ message: 'At most 1 GB.', code: 'LM002' }, { status: 413 });
    await expect(clientThatGets(refusal).client.call('health.get')).rejects.toMatchObject({ message: 'At most 1 GB.' });
  });

  it('knows the shape of every input and answer', () => {
    const { client } = clientThatGets(Response.json({}));
    expectTypeOf(() => client.call('health.get')).returns.resolves.toHaveProperty('uptime');
    expectTypeOf(() => client.call('auth.refresh')).returns.resolves.toHaveProperty('token');
    // @ts-expect-error applicationId is required
    void (() => client.call('applications.status', { body: {} }));
    // @ts-expect-error there is no such endpoint
    void (() => client.call('applications.nothing'));
  });
});

describe('what may pass', () => {
  it('is what was not answered, or not answered now', () => {
    expect([new TypeError('Failed to fetch'), answer(500), answer(503), answer(429)].every(mayPass)).toBe(true);
  });

  it('is no refusal, which stays one, and not nothing', () => {
    expect([answer(400), answer(403), answer(404), answer(409), null, undefined].some(mayPass)).toBe(false);
  });
});
