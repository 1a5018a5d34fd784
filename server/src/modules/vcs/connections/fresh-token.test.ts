import { PassThrough } from 'node:stream';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../../config.ts';
import { openStore, type Store } from '../../../db/pool.ts';
import type { VcsConnectionRow } from '../../../db/schema.ts';
import { newId } from '../../../lib/ids.ts';
import { createLog } from '../../../lib/log.ts';
import { openKeyring } from '../../../secrets/key-file.ts';
import { createFakeClock } from '../../../testing/fake-clock.ts';
import { createTestStore, type TestStore } from '../../../testing/test-store.ts';
import { HostUnavailable, type PersonTokens } from '../../../vcs/vcs-host.ts';
import { createStandInHosts, type StandInHosts } from '../testing/stand-in-hosts.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import { askAsPerson } from './ask-as-person.ts';
import { listConnectionsOf, saveConnection } from './connection-store.ts';
import { freshToken, MARGIN_MS } from './fresh-token.ts';
import { openTokens, sealTokens } from './seal-tokens.ts';

const HOUR = 3600 * 1000;
const home = mkdtempSync(join(tmpdir(), 'lilac-tokens-'));
const keyring = openKeyring(join(home, 'keyring'));

let store: TestStore;
/** A pool of its own, as another process has. */
let otherStore: Store;
let hosts: StandInHosts;
let deps: VcsDeps;
let otherDeps: VcsDeps;
let clock: ReturnType<typeof createFakeClock>;
let logged: string;
let userId: string;

beforeAll(async () => {
  store = await createTestStore();
  otherStore = openStore({ kind: 'url', url: store.url }, { max: 4, applicationName: 'other' });
});
afterAll(async () => {
  await otherStore.close();
  await store[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true });
});

beforeEach(async () => {
  clock = createFakeClock();
  hosts = createStandInHosts(() => clock.now().getTime());
  logged = '';
  const destination = new PassThrough();
  destination.on('data', (piece: Buffer) => (logged += piece.toString()));
  const log = createLog({ level: 'trace', role: 'test', destination });
  const config = readConfig({ LILAC_HOME: home });
  deps = { store, config, keyring, clock, log, hosts, stateKey: Buffer.alloc(32) };
  otherDeps = { ...deps, store: otherStore };
  userId = newId('usr');
  const user = { id: userId, email: `${userId}@example.org`, first_name: 'Ada', password_hash: 'x' };
  await store.db.insertInto('users').values(user).execute();
});

type Provider = 'provider1' | 'provider2' | 'provider3';

function connect(provider: Provider = 'provider2', tokens?: PersonTokens): Promise<VcsConnectionRow> {
  const { people } = hosts[provider];
  const given = tokens ?? people.tokensFor('ada');
  const person = { id: '1000', login: 'ada' };
  const seal = (id: string) => sealTokens(keyring, id, given);
  return store.db.transaction().execute((tx) => saveConnection(tx, { provider, userId, person, seal }));
}

const storedNow = async (provider: Provider = 'provider2') =>
  (await listConnectionsOf(store.db, { userId, provider }))[0]!;
const refreshes = (provider: Provider = 'provider2') =>
  hosts[provider].calls.filter((call) => call === 'refreshTokens').length;

describe('freshToken', () => {
  it('gives what is there while it is good for some minutes, and asks nobody', async () => {
    const connection = await connect();
    const { accessToken } = openTokens(keyring, connection);
    expect(await freshToken(deps, connection)).toBe(accessToken);
    clock.advance(2 * HOUR - MARGIN_MS - 1);
    expect(await freshToken(deps, connection)).toBe(accessToken);
    expect(hosts.provider2.calls).toEqual([]);
  });

  it('never asks where access does not expire', async () => {
    hosts.provider1.people.lifeSeconds = null;
    const connection = await connect('provider1');
    clock.advance(10_000 * HOUR);
    expect(hosts.provider1.people.whose((await freshToken(deps, connection))!)?.login).toBe('ada');
    expect(hosts.provider1.calls).toEqual([]);
  });

  it.each(['provider1', 'provider2', 'provider3'] as const)('refreshes before it ends (%s)', async (provider) => {
    const connection = await connect(provider);
    const old = openTokens(keyring, connection);
    clock.advance(2 * HOUR - MARGIN_MS);
    const token = await freshToken(deps, connection);
    expect(token).not.toBe(old.accessToken);
    expect(hosts[provider].people.whose(token!)?.login).toBe('ada');
    const stored = openTokens(keyring, await storedNow(provider));
    expect(stored.accessToken).toBe(token);
    expect(stored.refreshToken).not.toBe(old.refreshToken);
    // And again, with what the first refresh has brought.
    clock.advance(3 * HOUR);
    expect(hosts[provider].people.whose((await freshToken(deps, await storedNow(provider)))!)).not.toBeNull();
    expect(refreshes(provider)).toBe(2);
  });

  it('refreshes once, however many ask at once in two processes', async () => {
    const connection = await connect();
    clock.advance(2 * HOUR);
    // The host is slow, so that everybody has come before it answers.
    const answer = Promise.withResolvers<void>();
    hosts.provider2.before = () => answer.promise;
    const asked = Array.from({ length: 40 }, (_, turn) => freshToken(turn % 2 ? deps : otherDeps, connection));
    await expect.poll(() => waitsForTheRow()).toBe(1);
    answer.resolve();
    const tokens = new Set(await Promise.all(asked));
    expect(tokens.size).toBe(1);
    expect(refreshes()).toBe(1);
    // A second use of the old refresh token would have ended it.
    expect(hosts.provider2.people.whose([...tokens][0]!)?.login).toBe('ada');
  });

  it('leaves the pool to others while a slow host refreshes many connections', async () => {
    const connections: VcsConnectionRow[] = [];
    for (let number = 0; number < 8; number++) {
      const tokens = hosts.provider2.people.tokensFor('ada');
      const person = { id: `many-${number}`, login: 'ada' };
      const seal = (id: string) => sealTokens(keyring, id, tokens);
      const save = { provider: 'provider2', userId, person, seal } as const;
      connections.push(await store.db.transaction().execute((tx) => saveConnection(tx, save)));
    }
    clock.advance(2 * HOUR);
    const answer = Promise.withResolvers<void>();
    hosts.provider2.before = () => answer.promise;
    const asked = connections.map((connection) => freshToken(otherDeps, connection));
    await expect.poll(() => refreshes()).toBe(3);
    // The pool has four connections.
    expect(await listConnectionsOf(otherStore.db, { userId, provider: 'provider2' })).not.toEqual([]);
    answer.resolve();
    expect(new Set(await Promise.all(asked)).size).toBe(8);
  });

  it('null with trouble when the host refuses, and does not ask again until the person signs in', async () => {
    const connection = await connect();
    hosts.provider2.people.takeBack('ada');
    clock.advance(2 * HOUR);
    expect(await freshToken(deps, connection)).toBeNull();
    const stored = await storedNow();
    expect(stored.trouble).toMatch(/Connect again/);
    expect(await freshToken(deps, stored)).toBeNull();
    // One who has read the row before: the trouble is seen under the lock.
    expect(await freshToken(deps, connection)).toBeNull();
    expect(refreshes()).toBe(1);

    const again = await connect();
    expect(again).toMatchObject({ id: connection.id, trouble: null });
    expect(hosts.provider2.people.whose((await freshToken(deps, again))!)?.login).toBe('ada');
  });

  it('null with trouble when it has ended and there is nothing to refresh it with', async () => {
    const expiresAt = clock.now().getTime() - 1;
    const connection = await connect('provider1', { accessToken: 'x', refreshToken: null, expiresAt });
    expect(await freshToken(deps, connection)).toBeNull();
    expect((await storedNow('provider1')).trouble).not.toBeNull();
    expect(hosts.provider1.calls).toEqual([]);
  });

  it('keeps the old token through an outage while it is good, then tells of the outage, and loses nothing', async () => {
    const connection = await connect();
    const { accessToken } = openTokens(keyring, connection);
    hosts.provider2.isDown = true;
    clock.advance(2 * HOUR - MARGIN_MS);
    expect(await freshToken(deps, connection)).toBe(accessToken);
    clock.advance(MARGIN_MS);
    await expect(freshToken(deps, connection)).rejects.toBeInstanceOf(HostUnavailable);
    expect((await storedNow()).trouble).toBeNull();
    hosts.provider2.isDown = false;
    expect(hosts.provider2.people.whose((await freshToken(deps, connection))!)?.login).toBe('ada');
  });

  it('does without the host that the operator has taken away as long as it can, and blames nobody', async () => {
    const connection = await connect();
    hosts.provider2.isSetUp = false;
    clock.advance(2 * HOUR - MARGIN_MS);
    expect(await freshToken(deps, connection)).toBe(openTokens(keyring, connection).accessToken);
    clock.advance(MARGIN_MS);
    expect(await freshToken(deps, connection)).toBeNull();
    expect((await storedNow()).trouble).toBeNull();
  });

  it('null for a connection that is gone', async () => {
    const connection = await connect();
    clock.advance(2 * HOUR);
    await store.db.deleteFrom('vcs_connections').where('id', '=', connection.id).execute();
    expect(await freshToken(deps, connection)).toBeNull();
  });

  it('keeps the refresh token where the host names no new one', async () => {
    const connection = await connect();
    const { refreshToken } = openTokens(keyring, connection);
    const renewed = { accessToken: 'new', refreshToken: null, expiresAt: clock.now().getTime() + 9 * HOUR };
    hosts.provider2.people.refresh = () => renewed;
    clock.advance(2 * HOUR);
    expect(await freshToken(deps, connection)).toBe('new');
    expect(openTokens(keyring, await storedNow())).toEqual({ ...renewed, refreshToken });
  });

  it('replaces a token that the host has refused before its time; another that has come meanwhile will do', async () => {
    const connection = await connect();
    const { accessToken: refused } = openTokens(keyring, connection);
    const token = await freshToken(deps, connection, { refused });
    expect(token).not.toBe(refused);
    expect(await freshToken(deps, connection, { refused })).toBe(token);
    expect(refreshes()).toBe(1);
  });

  it('writes no token to the log', async () => {
    const connection = await connect();
    const seen = [openTokens(keyring, connection)];
    hosts.provider2.isDown = true;
    clock.advance(2 * HOUR - MARGIN_MS);
    await freshToken(deps, connection);
    hosts.provider2.isDown = false;
    await freshToken(deps, connection);
    seen.push(openTokens(keyring, await storedNow()));
    hosts.provider2.people.takeBack('ada');
    clock.advance(2 * HOUR);
    await freshToken(deps, await storedNow());
    expect(logged).toContain('was not refreshed');
    expect(logged).toContain('no longer takes');
    for (const { accessToken, refreshToken } of seen) {
      expect(logged).not.toContain(accessToken);
      expect(logged).not.toContain(refreshToken!);
    }
  });
});

describe('tokens in the store', () => {
  it('are sealed, and open in their own row only', async () => {
    const connection = await connect();
    const { accessToken, refreshToken } = openTokens(keyring, connection);
    const { rows } = await store.pool.query<{ row: string }>('select c::text as row from vcs_connections c');
    const text = rows.map(({ row }) => row).join('\n');
    expect(text).toContain(connection.id);
    expect(text).not.toContain(accessToken);
    expect(text).not.toContain(refreshToken!);
    expect(() => openTokens(keyring, { ...connection, id: newId('vcc') })).toThrow('sealed for another place');
  });

  it('open whichever of two who save at once came first', async () => {
    const saved = await Promise.all(Array.from({ length: 6 }, () => connect()));
    expect(new Set(saved.map(({ id }) => id)).size).toBe(1);
    expect(openTokens(keyring, await storedNow()).accessToken).toMatch(/^stand-in-access-/);
    for (const row of saved) expect(openTokens(keyring, row).accessToken).toMatch(/^stand-in-access-/);
  });
});

describe('askAsPerson', () => {
  it('tells what is not theirs from what was taken back before its time', async () => {
    hosts.provider2.people.add('ada', { reaches: ['ada/notes'] });
    hosts.provider2.addRepository('ada/notes');
    hosts.provider2.addRepository('ada/secrets');
    const connection = await connect();
    expect(await find(connection, 'notes')).toMatchObject({ answer: { fullName: 'ada/notes' } });
    expect(await find(connection, 'secrets')).toEqual({ answer: null });
    expect((await storedNow()).trouble).toBeNull();
    hosts.provider2.people.takeBack('ada');
    expect(await find(connection, 'notes')).toBeNull();
    expect((await storedNow()).trouble).toMatch(/Connect again/);
  });

  it('goes on with the token that another process has got meanwhile', async () => {
    hosts.provider2.people.add('ada', { reaches: ['ada/notes'] });
    hosts.provider2.addRepository('ada/notes');
    const connection = await connect();
    const { accessToken: refused } = openTokens(keyring, connection);
    await freshToken(otherDeps, connection, { refused });
    expect(await find(connection, 'notes')).toMatchObject({ answer: { fullName: 'ada/notes' } });
    expect(refreshes()).toBe(1);
  });
});

function find(connection: VcsConnectionRow, name: string) {
  return askAsPerson(deps, { host: hosts.provider2, connection }, (accessToken) =>
    hosts.provider2.findRepository({ kind: 'person', accessToken }, { owner: 'ada', name }),
  );
}

/** Of the sessions on the store of this test, how many wait for a lock. */
async function waitsForTheRow(): Promise<number> {
  const { rows } = await store.pool.query<{ waiting: number }>(
    "select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  return rows[0]!.waiting;
}
