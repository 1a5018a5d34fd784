import { expect, it } from 'vitest';
import { tellingWhenSlow } from './telling-when-slow.ts';

it('says once that it waits where no answer comes, and nothing where one does', async () => {
  const answer = Promise.withResolvers<Response>();
  const told = Promise.withResolvers<void>();
  const said: string[] = [];
  const complain = (text: string) => {
    said.push(text);
    told.resolve();
  };
  const of = (fetch: () => Promise<Response>, slowMs: number) =>
    tellingWhenSlow({ apiUrl: 'http://x', complain, slowMs, fetch });
  await of(() => Promise.resolve(new Response()), 60_000)('http://x/api');
  expect(said).toEqual([]);
  const slow = of(() => answer.promise, 1);
  const both = [slow('http://x/api'), slow('http://x/api')];
  await told.promise;
  answer.resolve(new Response('late'));
  expect(await Promise.all(both)).toHaveLength(2);
  const upload = of(() => new Promise((resolve) => setTimeout(resolve, 20, new Response())), 1);
  await upload('http://x/file', { method: 'PUT', body: new Blob(['x']).stream() });
  expect(said).toEqual(['Waiting for http://x to answer; for five minutes at most, Ctrl-C ends it.\n']);
});
