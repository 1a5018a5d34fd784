import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../testing/fake-clock.ts';
import { HostUnavailable } from '../../../vcs/vcs-host.ts';
import { createKeptAnswers } from './kept-answers.ts';

function subject(options?: { survivesNull: boolean }) {
  const clock = createFakeClock();
  const answers = createKeptAnswers<string[]>(clock, options);
  const asked = { count: 0, answer: async (): Promise<string[] | null> => [String(asked.count)] };
  const getWithAge = () =>
    answers.get('key', () => {
      asked.count++;
      return asked.answer();
    });
  const get = async () => (await getWithAge())?.value ?? null;
  return { clock, asked, get, getWithAge };
}

const down = () => Promise.reject(new HostUnavailable('It is down.', { retryAfterSeconds: 1 }));

describe('answers of a host', () => {
  it('are good for half a minute, and asked for once by all who ask at a time', async () => {
    const { clock, asked, get } = subject();
    expect(await Promise.all([get(), get(), get()])).toEqual([['1'], ['1'], ['1']]);
    clock.advance(29_000);
    expect(await get()).toEqual(['1']);
    clock.advance(1000);
    expect(await get()).toEqual(['2']);
    expect(asked.count).toBe(2);
  });

  it('are better than nothing for an hour while it does not answer', async () => {
    const { clock, asked, get } = subject();
    await get();
    asked.answer = down;
    clock.advance(59 * 60_000);
    expect(await get()).toEqual(['1']);
    clock.advance(60_000);
    await expect(get()).rejects.toThrow('It is down.');
    asked.answer = async () => ['back'];
    expect(await get()).toEqual(['back']);
  });

  it('say when they were read only while the host does not answer', async () => {
    const { clock, asked, getWithAge } = subject();
    const readAt = clock.now();
    expect(await getWithAge()).toEqual({ value: ['1'], asOf: null });
    clock.advance(20_000);
    expect(await getWithAge()).toEqual({ value: ['1'], asOf: null });
    asked.answer = down;
    clock.advance(20_000);
    expect(await getWithAge()).toEqual({ value: ['1'], asOf: readAt });
  });

  it('of null are not kept, and end what was kept', async () => {
    const { clock, asked, get } = subject();
    await get();
    clock.advance(31_000);
    asked.answer = async () => null;
    expect([await get(), await get(), asked.count]).toEqual([null, null, 3]);
    asked.answer = down;
    await expect(get()).rejects.toThrow('It is down.');
  });

  it('of null leave what was kept where they are said to', async () => {
    const { clock, asked, get } = subject({ survivesNull: true });
    await get();
    clock.advance(31_000);
    asked.answer = async () => null;
    expect(await get()).toBeNull();
    asked.answer = down;
    expect(await get()).toEqual(['1']);
  });

  it('that fail for another reason are never made up for', async () => {
    const { clock, asked, get } = subject();
    await get();
    clock.advance(31_000);
    asked.answer = () => Promise.reject(new TypeError('a fault of our own'));
    await expect(get()).rejects.toThrow('a fault of our own');
  });
});
