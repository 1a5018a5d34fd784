import { expect, it } from 'vitest';
import { createLatestCall } from './use-latest-call.ts';

function ask(latest = createLatestCall()) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const told: unknown[] = [];
  latest.ask(
    promise,
    (data) => told.push(data),
    (error) => told.push(error),
  );
  return { latest, told, resolve, reject };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

it('tells the answer, and until then that it is waited for', async () => {
  const { latest, told, resolve } = ask();
  expect(latest.isUnderWay()).toBe(true);
  resolve('one');
  await turn();
  expect(told).toEqual(['one']);
  expect(latest.isUnderWay()).toBe(false);
});

it('what failed is told, and waited for no longer', async () => {
  const { latest, told, reject } = ask();
  reject('broken');
  await turn();
  expect([told, latest.isUnderWay()]).toEqual([['broken'], false]);
});

it('an answer that was overtaken is nobody’s, and the later one is still waited for', async () => {
  const first = ask();
  const second = ask(first.latest);
  first.resolve('old');
  await turn();
  expect(first.told).toEqual([]);
  expect(first.latest.isUnderWay()).toBe(true);
  second.resolve('new');
  await turn();
  expect(second.told).toEqual(['new']);
});

it('what is forgotten is neither told nor waited for', async () => {
  const { latest, told, resolve } = ask();
  latest.forget();
  expect(latest.isUnderWay()).toBe(false);
  resolve('late');
  await turn();
  expect(told).toEqual([]);
});
