import { expect, it } from 'vitest';
import { z } from 'zod';
import { HostUnavailable } from '../vcs-host.ts';
import { allPages } from './all-pages.ts';
import type { AskGithub } from './github-api.ts';

const shape = z.array(z.number());

/** A host whose every page says that there is another. */
function endless(each: (asked: number) => void = () => {}) {
  const host = { asked: 0 };
  const ask: AskGithub = async (question) => {
    host.asked += 1;
    each(host.asked);
    return { data: question.shape.parse([host.asked]), link: '<https://host.example/?page=2>; rel="next"' };
  };
  return { host, ask };
}

it('leaves a list that never ends', async () => {
  const { host, ask } = endless();
  await expect(allPages(ask, { route: 'GET /x', shape }, (page) => page)).rejects.toThrow(HostUnavailable);
  expect(host.asked).toBeLessThanOrEqual(1000);
});

it('asks for no more pages once whoever asked has gone', async () => {
  const leaving = new AbortController();
  const { host, ask } = endless((asked) => asked === 3 && leaving.abort(new Error('gone')));
  const question = { route: 'GET /x', shape, signal: leaving.signal };
  await expect(allPages(ask, question, (page) => page)).rejects.toThrow('gone');
  expect(host.asked).toBe(3);
});
