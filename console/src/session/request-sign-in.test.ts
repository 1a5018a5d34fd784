import { afterEach, expect, it, vi } from 'vitest';
import { requestSignIn } from './request-sign-in.ts';

afterEach(() => vi.unstubAllGlobals());

const refusedWith = async (answer: Response) => {
  vi.stubGlobal('fetch', () => Promise.resolve(answer));
  return await requestSignIn({ email: 'ada@example.org', password: 'wrong' }).catch((error: unknown) => error);
};

it('a refusal of the platform is told in its words, with how long to wait', async () => {
  const body = { message: 'Too many. Try again later.', code: 'CA009' };
  const refusal = Response.json(body, { status: 429, headers: { 'retry-after': '7' } });
  expect(await refusedWith(refusal)).toMatchObject({ status: 429, ...body, retryAfterSeconds: 7 });
});

it('what something in between answers is not taken for an answer of the platform, nor for none', async () => {
  const page = new Response('<h1>Bad gateway</h1>', { status: 502, statusText: 'Bad Gateway' });
  expect(await refusedWith(page)).toMatchObject({
    status: 502,
    message: 'Something between you and the platform answered 502 Bad Gateway, not the platform itself.',
  });
});
