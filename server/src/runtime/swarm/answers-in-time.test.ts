import { expect, it } from 'vitest';
import { AnswersInTime } from './answers-in-time.ts';

it('gives what came in time, and asks nobody again whose answer is still out', async () => {
  const answers = new AnswersInTime<string>(20);
  const asked: string[] = [];
  const late = Promise.withResolvers<string>();
  const ask = (name: string): Promise<string> => {
    asked.push(name);
    if (name === 'fails') return Promise.reject(new Error('no'));
    return name === 'late' ? late.promise : Promise.resolve(`${name} speaks`);
  };
  const all = ['one', 'late', 'fails'];
  const first = await answers.from(all, ask);
  expect([...first]).toEqual([['one', 'one speaks']]);
  await answers.from(all, ask);
  expect(asked).toEqual(['one', 'late', 'fails', 'one', 'fails']);
  late.resolve('late speaks');
  expect([...first]).toEqual([['one', 'one speaks']]);
  expect([...(await answers.from(['late'], ask))]).toEqual([]);
  expect([...(await answers.from(['late'], ask))]).toEqual([['late', 'late speaks']]);
});
