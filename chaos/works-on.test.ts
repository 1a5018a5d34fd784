import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { worksOn } from './invariants/works-on.ts';
import { Ledger } from './ledger.ts';
import { Outages } from './outages.ts';
import { ReleaseHistory } from './release-history.ts';
import type { Check } from './invariants/problem.ts';

/** A platform that serves what is deployed; a test may have it do otherwise. */
interface Behaviour {
  /** Of a deployment. */
  status: string;
  isTaken: boolean;
  serve: (words: string) => string;
  variable: string | undefined;
}

const live = new Map<string, string>();
let behaviour: Behaviour;
const server = createServer((request, response) => {
  const part = request.headers.host!.split('.')[0]!;
  if (request.url === '/env') response.end(JSON.stringify({ CHAOS: behaviour.variable }));
  else response.end(behaviour.serve(live.get(part) ?? ''));
});

beforeEach(async () => {
  behaviour = { status: 'healthy', isTaken: true, serve: (words) => words, variable: 'one' };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function problems(): Promise<string[]> {
  const { port } = server.address() as AddressInfo;
  const subject = (part: string) => ({
    part,
    environmentId: `env_${part}`,
    url: `http://${part}.localhost:${port}`,
    filesFor: (words: string) => ({ words }),
    history: new ReleaseHistory(),
  });
  const deployer = {
    async deploy({ part }: { part: string }, { words }: { words: string }) {
      if (!behaviour.isTaken) throw new Error('socket hang up');
      live.set(part, words);
      return `dep_${part}`;
    },
    ended: async () => ({ status: behaviour.status, error: null }),
  };
  const ledger = new Ledger();
  ledger.ask('variables', 'one').acknowledged();
  const events = { tell: () => {} };
  const scene = { deployer, ledger, events, outages: new Outages(), site: subject('site'), server: subject('server') };
  return (await worksOn({ scene } as unknown as Check)).map(({ about, what }) => `${about}: ${what}`);
}

describe('a platform that works', () => {
  it('releases a site and a server, which has its variables', async () => {
    expect(await problems()).toEqual([]);
  });

  it('takes deployments', async () => {
    behaviour.isTaken = false;
    expect(await problems()).toEqual(['site: a deployment is not taken', 'server: a deployment is not taken']);
  });

  it('makes them healthy', async () => {
    behaviour.status = 'failed';
    expect(await problems()).toEqual([
      expect.stringContaining('site: dep_site is failed'),
      expect.stringContaining('server: dep_server is failed'),
    ]);
  });

  it('shows visitors what was released', async () => {
    behaviour.serve = () => 'something else';
    expect(await problems()).toEqual([
      expect.stringContaining('visitors see "something else"'),
      expect.stringContaining('visitors see "something else"'),
    ]);
  });

  it('gives servers the variables that were acknowledged last', async () => {
    behaviour.variable = undefined;
    expect(await problems()).toEqual(['server: it has "null", promised was ["one"]']);
  });
});
