import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pathsOf } from '../config.ts';
import { currentMigration } from '../db/migrate.ts';
import { openStore } from '../db/pool.ts';
import { tryLock } from '../lib/file-lock.ts';
import { findUser } from '../modules/accounts/user-store.ts';
import { openOperatorBench, type OperatorBench } from '../testing/operator-bench.ts';
import { eventually } from '../testing/eventually.ts';
import { createTestStore } from '../testing/test-store.ts';
import { findRunningServers } from './running-servers-store.ts';

let bench: OperatorBench;
beforeEach(async () => {
  bench = await openOperatorBench();
});
afterEach(() => bench[Symbol.asyncDispose]());

/** As a process of the platform does. */
const connect = (url: string, applicationName: string) =>
  openStore({ kind: 'url', url }, { max: 1, applicationName }).pool.connect();

async function backUp() {
  const path = join(bench.folder, 'one.backup');
  const { out } = await bench.lilac(['backup', path, '--json']);
  return { path, report: JSON.parse(out) as { path: string; rows: Record<string, number> } };
}

describe('lilac backup and restore', () => {
  it('carry everything to an empty store of another home', async () => {
    const { userId } = await bench.createOwner();
    const { path, report } = await backUp();
    expect(report).toMatchObject({ path, rows: { users: 1, organisations: 1 }, missingKeys: [] });
    await using elsewhere = await createTestStore();
    const options = { home: join(bench.folder, 'new-home'), databaseUrl: elsewhere.url };
    const restored = await bench.lilac(['restore', path, '--json'], options);
    expect(restored).toMatchObject({ exitCode: 0, err: '' });
    expect(JSON.parse(restored.out)).toMatchObject({ rows: report.rows });
    expect(await findUser(elsewhere.db, userId)).toMatchObject({ email: 'ada@example.org' });
  });

  it('1 when the store is in use, unless everything is to be replaced', async () => {
    await bench.createOwner();
    const { path } = await backUp();
    const refused = await bench.lilac(['restore', path]);
    expect(refused).toMatchObject({ exitCode: 1, out: '' });
    expect(refused.err).toContain('in use: it holds an installation with 1 person and 1 organisation');
    expect(refused.err).toContain('--replace');
    expect(await bench.lilac(['restore', path, '--replace'])).toMatchObject({ exitCode: 0 });
  });

  it.each([
    ['where a file is already', () => ['backup', join(bench.folder, 'taken')], 'already'],
    ['into a folder that is not there', () => ['backup', join(bench.folder, 'no', 'folder')], 'There is no folder'],
    ['into a folder that is a file', () => ['backup', join(bench.folder, 'taken', 'x')], 'There is no folder'],
    // Shut to root too.
    ['into a folder one may not write to', () => ['backup', '/sys/x.backup'], 'write to the folder /sys'],
    ['from a file that is not there', () => ['restore', join(bench.folder, 'nothing')], 'There is no file'],
    ['from a file that is something else', () => ['restore', join(bench.folder, 'taken')], 'cannot be restored'],
  ])('1 %s', async (_, argv, message) => {
    await bench.createOwner();
    writeFileSync(join(bench.folder, 'taken'), 'something else');
    const { exitCode, out, err } = await bench.lilac(argv());
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(err).toContain(message);
    expect(err).not.toMatch(/nobody expected|partial/);
  });

  it('1 while a supervisor holds the home of an embedded store', async () => {
    const { supervisorLock } = pathsOf(bench);
    mkdirSync(dirname(supervisorLock), { recursive: true, mode: 0o700 });
    const release = tryLock(supervisorLock);
    const { exitCode, err } = await bench.lilac(['restore', join(bench.folder, 'any')], { databaseUrl: null });
    release();
    expect(exitCode).toBe(1);
    expect(err).toContain('Stop the server');
    expect(existsSync(pathsOf(bench).store)).toBe(false);
  });

  it.each(['api', 'worker'])('1 while %s of any host has the store open, and nothing is changed', async (role) => {
    await bench.createOwner();
    const { path } = await backUp();
    await using elsewhere = await createTestStore({ migrated: false });
    const options = { home: join(bench.folder, 'new-home'), databaseUrl: elsewhere.url };
    const session = await connect(elsewhere.url, role);
    for (const more of [[], ['--replace']]) {
      const { exitCode, out, err } = await bench.lilac(['restore', path, ...more], options);
      expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
      expect(err).toContain(`Servers use this store (${role}`);
      expect(err).toContain('Stop them on every host');
    }
    expect(await currentMigration(elsewhere.db)).toBe(null);
    session.release(true);
    await eventually('the store has let it go', async () => (await findRunningServers(elsewhere.db)) === null);
    expect(await bench.lilac(['restore', path], options)).toMatchObject({ exitCode: 0 });
  });

  it('minds neither edges nor servers of another store on the same PostgreSQL', async () => {
    await bench.createOwner();
    const { path } = await backUp();
    await using elsewhere = await createTestStore();
    const sessions = [await connect(bench.store.url, 'api'), await connect(elsewhere.url, 'edge')];
    const options = { home: join(bench.folder, 'new-home'), databaseUrl: elsewhere.url };
    expect(await bench.lilac(['restore', path], options)).toMatchObject({ exitCode: 0 });
    for (const session of sessions) session.release(true);
  });
});
