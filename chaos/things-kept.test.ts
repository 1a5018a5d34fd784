import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { storageKept, thingsKept } from './invariants/acknowledged.ts';
import { isCreatedHealthy } from './invariants/created-healthy.ts';
import type { Check } from './invariants/problem.ts';
import { Ledger } from './ledger.ts';
import { Outages } from './outages.ts';
import type { StoredThing } from './peek-store.ts';
import type { Scene } from './scene.ts';

/** A platform that has these folders, and nothing else. */
async function openFolders(names: readonly string[]) {
  const body = JSON.stringify({ items: names.map((name) => ({ name })), totalPages: 1 });
  const server = createServer((_, response) => response.end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
}

const promised = (...names: string[]) => {
  const ledger = new Ledger();
  for (const name of names) ledger.ask(name, 'there').acknowledged();
  return ledger;
};

async function problemsWithFolders(names: readonly string[]) {
  await using folders = await openFolders(names);
  const scene = {
    ledger: promised('folder 1', 'folder 2'),
    token: 'a token',
    handle: { current: () => folders },
    deployer: { targetOrganisationId: 'org_1', client: { call: async () => ({ items: [] }) } },
  } as unknown as Scene;
  return (await thingsKept({ scene })).map(({ about, what }) => `${about}: ${what}`);
}

describe('folders', () => {
  it('are well where each is there once', async () => {
    expect(await problemsWithFolders(['folder 2', 'folder 1'])).toEqual([]);
  });

  it('are made twice where two have one name', async () => {
    expect(await problemsWithFolders(['folder 1', 'folder 2', 'folder 1'])).toEqual(['folder 1: it is there 2 times']);
  });

  it('are lost where one is not there', async () => {
    expect(await problemsWithFolders(['folder 1'])).toHaveLength(1);
  });
});

it('a database that is not as large as was acknowledged has lost a change', async () => {
  const ledger = new Ledger();
  ledger.ask('storage db_1', '1').acknowledged();
  ledger.ask('storage db_1', '2').acknowledged();
  const problemsAt = (storageGb: number) => {
    const databases = { get: async () => ({ storage_gb: storageGb }) };
    return storageKept({ scene: { ledger, databases, kept: [{ id: 'db_1' }] } as unknown as Scene });
  };
  expect(await problemsAt(2)).toEqual([]);
  expect(await problemsAt(1)).toMatchObject([{ about: 'db_1' }]);
});

function problemsOf(things: StoredThing[], { outages = new Outages(), failed = [] as string[] } = {}) {
  const ledger = promised('database 1', 'application 1');
  const failedDeployments = async () => failed.map((environmentId) => ({ environmentId }));
  const peek = { created: async () => things, failedDeployments };
  return isCreatedHealthy({ scene: { ledger, outages }, peek } as unknown as Check);
}

describe('what was acknowledged as created', () => {
  const database: StoredThing = {
    kind: 'database',
    name: 'database 1',
    status: 'failed',
    error: 'no reason',
    createdAt: new Date(),
    updatedAt: new Date(),
    environmentId: null,
  };
  const application: StoredThing = { ...database, kind: 'application', name: 'application 1', environmentId: 'env_1' };

  it('breaks a promise where it has failed, or was never anything', async () => {
    expect(await problemsOf([database, { ...application, status: 'pending', error: '' }])).toMatchObject([
      { about: 'database 1', what: 'the database is failed: no reason' },
      { about: 'application 1', what: 'the application is pending' },
    ]);
  });

  it('breaks none where it is healthy, was never acknowledged, or a fault explains it', async () => {
    expect(await problemsOf([{ ...database, status: 'healthy' }])).toEqual([]);
    expect(await problemsOf([{ ...database, name: 'database 2' }])).toEqual([]);
    expect(await problemsOf([application], { failed: ['env_1'] })).toEqual([]);
    const outages = new Outages();
    for (let count = 0; count < 3; count++) {
      outages.open({ what: 'kill-database', harms: 'databases', disturbs: {} });
    }
    const updatedAt = new Date(Date.now() + 1000);
    expect(await problemsOf([{ ...database, updatedAt }], { outages })).toEqual([]);
  });
});
