import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { start } from '../lib/exec.ts';
import { createTestStore, type TestStore } from '../testing/test-store.ts';
import { openKeyring } from './key-file.ts';
import type { SealedPlace } from './keyring.ts';
import { beginRotation, endRotation, rewrapAll, rotateKey } from './rotate-key.ts';
import { sealedColumns } from './sealed-columns.ts';
import { readKeys } from './stored-keys.ts';

let home: string;
let keyFile: string;
let now = new Date('2026-01-01T00:00:00Z');
const clock = { now: () => now };

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'lilac-keys-'));
  keyFile = join(home, 'keyring.json');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const placeOf = (name: string): SealedPlace => ({ table: 'platform_secrets', row: name, column: 'sealed' });
const keyOf = (sealed: string) => sealed.split('.')[1];

async function fill(store: TestStore, count: number): Promise<void> {
  const keyring = openKeyring(keyFile);
  const rows = Array.from({ length: count }, (_, n) => `s${n}`).map((name) => ({
    name,
    sealed: keyring.seal(`value of ${name}`, placeOf(name)),
  }));
  await store.db.insertInto('platform_secrets').values(rows).execute();
}

async function readAll(store: TestStore): Promise<{ name: string; sealed: string }[]> {
  return store.db.selectFrom('platform_secrets').select(['name', 'sealed']).execute();
}

/** With a keyring opened anew, as the next process would. */
async function expectReadable(store: TestStore): Promise<void> {
  const keyring = openKeyring(keyFile);
  for (const { name, sealed } of await readAll(store)) {
    expect(keyring.open(sealed, placeOf(name))).toBe(`value of ${name}`);
  }
}

describe('the sealed columns', () => {
  it('are columns of the schema, and their rows are named by a unique column', async () => {
    await using store = await createTestStore();
    for (const { table, column, row } of sealedColumns) {
      const { rows } = await sql<{ type: string; unique: boolean }>`
        select format_type(c.atttypid, c.atttypmod) as type, exists (
          select 1 from pg_index i join pg_attribute r on r.attrelid = i.indrelid and r.attname = ${row}
          where i.indrelid = c.attrelid and i.indisunique and i.indnkeyatts = 1 and i.indkey[0] = r.attnum
        ) as unique
        from pg_attribute c where c.attrelid = ${table}::regclass and c.attname = ${column}`.execute(store.db);
      expect(rows, `${table}.${column}`).toEqual([{ type: 'text', unique: true }]);
    }
  });
});

describe('rotateKey', () => {
  it('rewraps every value of every sealed column, more than one batch of them', async () => {
    await using store = await createTestStore();
    await fill(store, 1203);
    const keyring = openKeyring(keyFile);
    const totpPlace: SealedPlace = { table: 'users', row: 'usr_1', column: 'totp_secret' };
    const user = { id: 'usr_1', email: 'a@example.org', first_name: 'A', password_hash: '-' };
    await store.db
      .insertInto('users')
      .values([
        { ...user, totp_secret: keyring.seal('totp', totpPlace) },
        { ...user, id: 'usr_2', email: 'b@example.org' },
      ])
      .execute();

    const report = await rotateKey({ store, keyFile, clock });

    expect(report).toMatchObject({ resumed: false, rewrapped: 1204, dropped: [], unreadable: [] });
    expect(new Set((await readAll(store)).map(({ sealed }) => keyOf(sealed)))).toEqual(new Set([report.keyId]));
    await expectReadable(store);
    const { totp_secret } = await store.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', 'usr_1')
      .executeTakeFirstOrThrow();
    expect(keyOf(totp_secret!)).toBe(report.keyId);
    expect(openKeyring(keyFile).open(totp_secret!, totpPlace)).toBe('totp');
  });

  it('makes a key that is another than every one before it', async () => {
    await using store = await createTestStore();
    await fill(store, 1);
    for (let round = 0; round < 2; round++) await rotateKey({ store, keyFile, clock });
    const { current, keys } = readKeys(keyFile);
    expect(keys).toHaveLength(3);
    expect(new Set(keys.map(({ secret }) => secret)).size).toBe(3);
    expect(current).toBe(keys.at(-1)!.id);
  });

  it('keeps the old key for a day, then drops it once no value needs it', async () => {
    await using store = await createTestStore();
    await fill(store, 1);
    const first = readKeys(keyFile).current;
    const { keyId: second } = await rotateKey({ store, keyFile, clock });
    expect((await rotateKey({ store, keyFile, clock })).dropped).toEqual([]);
    now = new Date(now.getTime() + 25 * 60 * 60 * 1000);
    expect((await rotateKey({ store, keyFile, clock })).dropped).toEqual([first, second]);
    await expectReadable(store);
  });

  it('strands no value that was sealed before it and committed after it', async () => {
    await using store = await createTestStore();
    const slow = openKeyring(keyFile);
    const first = readKeys(keyFile).current;
    await store.db.transaction().execute(async (tx) => {
      await tx
        .insertInto('platform_secrets')
        .values({ name: 'late', sealed: slow.seal('value of late', placeOf('late')) })
        .execute();
      await rotateKey({ store, keyFile, clock });
    });
    expect(keyOf((await readAll(store))[0]!.sealed)).toBe(first);
    await expectReadable(store);
    now = new Date(now.getTime() + 25 * 60 * 60 * 1000);
    expect(await rotateKey({ store, keyFile, clock })).toMatchObject({ rewrapped: 1, dropped: [first] });
    await expectReadable(store);
  });

  it('keeps a key that a value still needs, however long it is retired', async () => {
    await using store = await createTestStore();
    await fill(store, 1);
    const { current } = readKeys(keyFile);
    await beginRotation({ keyFile, clock });
    now = new Date(now.getTime() + 25 * 60 * 60 * 1000);
    expect(await endRotation({ store, keyFile, clock })).toEqual([]);
    expect(readKeys(keyFile).keys.map((key) => key.id)).toContain(current);
  });

  it('loses no value that other processes seal and change while it runs, again and again', async () => {
    await using store = await createTestStore();
    await fill(store, 50);
    const end = new AbortController();
    let written = 0;
    const writers = [1, 2, 3].map(async (writer) => {
      const keyring = openKeyring(keyFile);
      while (!end.signal.aborted) {
        // Some rows are new, some are rewritten under the rotation's hands.
        const name = written % 2 ? `s${written % 50}` : `w${writer}-${written}`;
        const sealed = keyring.seal(`value of ${name}`, placeOf(name));
        await store.db
          .insertInto('platform_secrets')
          .values({ name, sealed })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ sealed }))
          .execute();
        written++;
      }
    });
    for (let round = 0; round < 5; round++) {
      await rotateKey({ store, keyFile, clock });
      await expectReadable(store);
    }
    end.abort();
    await Promise.all(writers);
    expect(written).toBeGreaterThan(20);
    await expectReadable(store);
    const { keyId } = await rotateKey({ store, keyFile, clock });
    expect(new Set((await readAll(store)).map(({ sealed }) => keyOf(sealed)))).toEqual(new Set([keyId]));
  });

  it('leaves a value alone that it cannot open, names it, and finishes the others', async () => {
    await using store = await createTestStore();
    await fill(store, 3);
    const moved = openKeyring(keyFile).seal('x', placeOf('elsewhere'));
    await store.db.updateTable('platform_secrets').set({ sealed: moved }).where('name', '=', 's1').execute();
    const report = await rotateKey({ store, keyFile, clock });
    expect(report).toMatchObject({ rewrapped: 2, unreadable: ['platform_secrets:s1:sealed'] });
    expect((await readAll(store)).find(({ name }) => name === 's1')!.sealed).toBe(moved);
  });
});

describe('a rotation that was cut short', () => {
  it('after the new key was added: everything reads, and the next run finishes with that same key', async () => {
    await using store = await createTestStore();
    await fill(store, 3);
    const { keyId } = await beginRotation({ keyFile, clock });
    await expectReadable(store);
    expect(await rotateKey({ store, keyFile, clock })).toMatchObject({ keyId, resumed: true, rewrapped: 3 });
    expect(readKeys(keyFile)).toMatchObject({ current: keyId, isRotating: false });
  });

  it('after all was rewrapped, before it was noted: the next run has nothing left to do', async () => {
    await using store = await createTestStore();
    await fill(store, 3);
    const { keyId } = await beginRotation({ keyFile, clock });
    await rewrapAll({ store, keyFile, clock });
    await expectReadable(store);
    expect(await rotateKey({ store, keyFile, clock })).toMatchObject({ keyId, resumed: true, rewrapped: 0 });
  });

  it('while writing the key file: the copy it left behind goes with the next rotation', async () => {
    await using store = await createTestStore();
    await fill(store, 1);
    const dead = start(['true'], { env: { PATH: '/usr/bin:/bin' } });
    await new Promise((resolve) => dead.once('exit', resolve));
    for (const name of [`keyring.json.${dead.pid}.89b7e413`, `keyring.json.lock.${dead.pid}`]) {
      writeFileSync(join(home, name), readFileSync(keyFile), { mode: 0o600 });
    }
    writeFileSync(join(home, 'keyring.json.before-restore-2026'), '');
    await rotateKey({ store, keyFile, clock });
    expect(readdirSync(home).toSorted()).toEqual(['keyring.json', 'keyring.json.before-restore-2026']);
  });

  it('by SIGKILL in the middle: everything reads, and the next run finishes', async () => {
    await using store = await createTestStore();
    await fill(store, 5000);
    const before = readKeys(keyFile).current;
    const child = rotateInAnotherProcess(store.url);
    const exited = new Promise((resolve) => child.once('exit', resolve));
    let unmoved: number;
    do unmoved = (await readAll(store)).filter(({ sealed }) => keyOf(sealed) === before).length;
    while (unmoved === 5000 && child.exitCode === null);
    child.kill('SIGKILL');
    await exited;
    await expectReadable(store);
    const { keyId } = await rotateKey({ store, keyFile, clock });
    expect(new Set((await readAll(store)).map(({ sealed }) => keyOf(sealed)))).toEqual(new Set([keyId]));
    await expectReadable(store);
  });
});

const fileOf = (name: string) => JSON.stringify(join(import.meta.dirname, name));

function rotateInAnotherProcess(url: string) {
  const program = `
    import { openStore } from ${fileOf('../db/pool.ts')};
    import { rotateKey } from ${fileOf('rotate-key.ts')};
    const store = openStore({ kind: 'url', url: ${JSON.stringify(url)} }, { max: 1, applicationName: 'rotation' });
    await rotateKey({ store, keyFile: ${JSON.stringify(keyFile)}, clock: { now: () => new Date() } });
    await store.close();`;
  return start([process.execPath, '--input-type=module-typescript', '-e', program], { env: {}, stdio: 'inherit' });
}
