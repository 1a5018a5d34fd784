import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { DatabaseType } from '@lilac/contract/states';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { EngineRefused } from '../../../engines/engine.ts';
import { LoadFailed, SessionLost } from '../../../engines/transfer.ts';
import { eventually } from '../../../testing/eventually.ts';
import { createOwner } from '../../../testing/factories.ts';
import { listForgottenUploads } from '../../deployments/retention-store.ts';
import { openTransferBench as open } from '../testing/transfer-bench.ts';
import { allBackupsOf } from './backup-store.ts';
import { importJob, IMPORT_ATTEMPTS } from './job-kinds.ts';
import { expireBackups } from './remove-backups.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const types: DatabaseType[] = ['postgresql', 'mysql'];

describe.each(types)('a %s database', (databaseType) => {
  it('is dumped into a file that reads back whole, and whoever asks meanwhile gets the same one', async () => {
    const bench = await open();
    const { id } = await bench.createHealthy({ databaseType });
    (await bench.contentsOf({ id })).push('create table a;');
    const [one, other] = await Promise.all([
      bench.call('/api/databases/dump', { databaseId: id }),
      bench.call('/api/databases/dump', { databaseId: id }),
    ]);
    expect(one).toMatchObject({ status: 200, body: { size: expect.any(Number) } });
    expect(new URL(one.body.downloadUrl as string).pathname).toBe(new URL(other.body.downloadUrl as string).pathname);
    const [backup] = await allBackupsOf(bench.api.store.db, id);
    const text = gunzipSync(await buffer(bench.objects.read(backup!.object_key))).toString();
    expect(text).toBe('create table a;\n-- Lilac dump complete: tables=1 rows=1\n');
    bench.clock.advance(DAY_MS);
    await expireBackups(bench.deps);
    expect(await bench.objects.stat(backup!.object_key)).toBeNull();
  });

  it('takes an import, plain or compressed, and the upload is gone afterwards', async () => {
    const bench = await open();
    const { id } = await bench.createHealthy({ databaseType });
    expect(await bench.importText(id, 'one\ntwo\n')).toMatchObject({ status: 'healthy', error: null });
    const packed = await bench.upload(gzipSync('three\n'), 'application/gzip');
    await bench.begin(id, packed);
    await eventually('it is in', async () => (await bench.contentsOf({ id })).includes('three'));
    await eventually('it has ended', async () => (await bench.read(id)).status === 'healthy');
    expect(await bench.contentsOf({ id })).toEqual(['one', 'two', 'three']);
    await bench.untilNone('uploads/');
    await bench.untilNone('backups/');
  });

  it('is as it was when an import fails, and says why', async () => {
    const bench = await open();
    const { id } = await bench.createHealthy({ databaseType });
    await bench.importText(id, 'kept\n');
    expect(await bench.importText(id, 'new\nfail\n')).toMatchObject({
      status: 'healthy',
      error: expect.stringContaining('line 2'),
    });
    expect(await bench.contentsOf({ id })).toEqual(['kept']);
    await bench.untilNone('backups/');
    const { body } = await bench.call('/api/databases/status', { databaseId: id });
    expect(body).toMatchObject({ id, status: 'healthy', error: expect.stringContaining('line 2') as string });
    expect(body['last_import']).toMatchObject({ error: body['error'] });
    expect((await bench.actions()).slice(-4)).toEqual([
      'database_import_started',
      'database_imported',
      'database_import_started',
      'database_import_failed',
    ]);
  });

  it('refuses the dump of another engine, and says so', async () => {
    const bench = await open();
    const { id } = await bench.createHealthy({ databaseType });
    const foreign = databaseType === 'mysql' ? '--\n-- PostgreSQL database dump\n--\n' : '-- MySQL dump 10.13\n';
    const { error } = await bench.importText(id, `${foreign}create table a;\n`);
    expect(error).toMatch(databaseType === 'mysql' ? /dump of PostgreSQL/ : /dump of MySQL/);
    expect(await bench.contentsOf({ id })).toEqual([]);
  });

  it.each(['before', 'after'] as const)('imports once though the job was ended %s it was done', async (moment) => {
    const bench = await open();
    const { id } = await bench.createHealthy({ databaseType });
    await bench.importText(id, 'kept\n');
    let killed = 0;
    bench.engines[databaseType].around = (now, method) => {
      if (now === moment && method === 'load' && killed++ === 0) throw new Error('Killed');
    };
    expect(await bench.importText(id, 'new\n')).toMatchObject({ status: 'healthy', error: null });
    expect(killed).toBeGreaterThan(0);
    expect(await bench.contentsOf({ id })).toEqual(['kept', 'new']);
    await bench.untilNone('backups/');
  });

  it('keeps what was there though putting it back fails, and tries again', async () => {
    const bench = await open();
    const { id } = await bench.createHealthy({ databaseType });
    await bench.importText(id, 'kept\n');
    let loads = 0;
    bench.engines[databaseType].around = (now, method) => {
      // The import itself fails by its text; what follows it is the putting back, where there is one.
      if (now === 'before' && method === 'load' && ++loads === 2) throw new LoadFailed('CREATE command denied');
    };
    expect(await bench.importText(id, 'new\nfail\n')).toMatchObject({
      status: 'healthy',
      error: expect.stringMatching(/line 2/),
    });
    expect(await bench.contentsOf({ id })).toEqual(['kept']);
  });

  it('loses nothing that was written after an import, though the job dies before it has said so', async () => {
    const bench = await open();
    const { id } = await bench.createHealthy({ databaseType });
    await bench.importText(id, 'kept\n');
    let hasLoaded = false;
    let killed = 0;
    bench.engines[databaseType].around = async (now, method) => {
      if (now !== 'after') return;
      hasLoaded ||= method === 'load';
      if (!hasLoaded || method !== 'setAccess' || killed++ > 0) return;
      (await bench.contentsOf({ id })).push('written by somebody');
      throw new Error('Killed');
    };
    expect(await bench.importText(id, 'new\n')).toMatchObject({ status: 'healthy', error: null });
    const expected = databaseType === 'mysql' ? ['kept', 'new', 'written by somebody'] : ['kept', 'new'];
    expect(await bench.contentsOf({ id })).toEqual(expected);
    await bench.untilNone('backups/');
  });

  it('is as it was when a statement ends the session each time, and names its line', async () => {
    const bench = await open();
    const { id } = await bench.createHealthy({ databaseType });
    await bench.importText(id, 'kept\n');
    let lost = 0;
    bench.engines[databaseType].around = async (now, method) => {
      const isOfImport = (await bench.contentsOf({ id })).includes('kept');
      if (now !== 'before' || method !== 'load' || !isOfImport) return;
      lost++;
      throw new SessionLost(7, 'Connection was killed', null);
    };
    expect(await bench.importText(id, 'new\n')).toMatchObject({
      status: 'healthy',
      error: expect.stringMatching(/nothing was changed: Line 7: the server ended the session whenever/),
    });
    expect(lost).toBe(3);
    expect(await bench.contentsOf({ id })).toEqual(['kept']);
    await bench.untilNone('backups/');
  });

  it('is as it was when no attempt is left', async () => {
    const bench = await open();
    const { id } = await bench.createHealthy({ databaseType });
    await bench.importText(id, 'kept\n');
    let tries = 0;
    bench.engines[databaseType].around = async (now, method) => {
      const isOfImport = (await bench.contentsOf({ id })).includes('kept');
      if (now !== 'before' || method !== 'load' || !isOfImport) return;
      const { db } = bench.api.store;
      await sql`update jobs set attempt = ${IMPORT_ATTEMPTS - 1} where kind = ${importJob.name} and attempt = 1`.execute(
        db,
      );
      if (databaseType === 'mysql') (await bench.contentsOf({ id })).push('half');
      tries++;
      throw new EngineRefused('The server is gone');
    };
    expect(await bench.importText(id, 'new\n')).toMatchObject({
      status: 'healthy',
      error: 'The import failed, and nothing was changed: The server is gone.',
    });
    expect(tries).toBe(2);
    expect(await bench.contentsOf({ id })).toEqual(['kept']);
    await bench.untilNone('backups/');
  });

  it("404 for another organisation's upload, which stays as it was", async () => {
    const bench = await open();
    const { id } = await bench.createHealthy({ databaseType });
    const uploadId = await bench.upload(Buffer.from('new\n'));
    const { organisationId } = await createOwner(bench.api);
    const { db } = bench.api.store;
    await db.updateTable('uploads').set({ organisation_id: organisationId }).where('id', '=', uploadId).execute();
    expect(await bench.begin(id, uploadId)).toMatchObject({ status: 404, body: { code: 'NF001' } });
    expect(await bench.begin(id, 'upl_nowhere')).toMatchObject({ status: 404, body: { code: 'NF001' } });
    expect(await bench.read(id)).toMatchObject({ status: 'healthy' });
    expect(await bench.keys('uploads/')).toHaveLength(1);
  });

  it('says that an upload is gone, and goes on', async () => {
    const bench = await open();
    const { id } = await bench.createHealthy({ databaseType });
    const uploadId = await bench.upload(Buffer.from('new\n'));
    for (const key of await bench.keys('uploads/')) await bench.objects.remove(key);
    expect(await bench.begin(id, uploadId)).toMatchObject({ status: 200 });
    await eventually('it has ended', async () => (await bench.read(id)).status !== 'updating');
    expect(await bench.read(id)).toMatchObject({ status: 'healthy', error: expect.stringContaining('failed') });
    expect(await bench.importText(id, 'another\n')).toMatchObject({ status: 'healthy', error: null });
  });

  it('keeps its upload while an import needs it, whatever else sweeps', async () => {
    const bench = await open();
    const { id } = await bench.createHealthy({ databaseType });
    let seen: unknown = null;
    bench.engines[databaseType].around = async (_now, method) => {
      if (method === 'load') seen = await listForgottenUploads(bench.api.store.db, 'all');
    };
    await bench.importText(id, 'new\n');
    expect(seen).toEqual([]);
  });

  it('says that the password was changed by SQL, and does not try for ever', async () => {
    const bench = await open();
    const { id } = await bench.createHealthy({ databaseType });
    const code = databaseType === 'mysql' ? 'ER_ACCESS_DENIED_ERROR' : '28P01';
    bench.engines[databaseType].around = (now, method) => {
      if (now === 'before' && method === 'load') throw Object.assign(new Error('no'), { code });
    };
    const { error } = await bench.importText(id, 'new\n');
    expect(error).toMatch(/changed it by SQL. Rotate the password/);
  });

  it('takes no import while its storage is nearly used up', async () => {
    const bench = await open();
    const { id } = await bench.createHealthy({ databaseType });
    await bench.api.store.db.updateTable('databases').set({ is_full: true }).where('id', '=', id).execute();
    expect(await bench.begin(id, await bench.upload(Buffer.from('one')))).toMatchObject({ status: 409 });
  });
});

describe('a mysql database, which cannot undo definitions,', () => {
  it('lets nobody in from before it is written down until the import has ended, at every attempt', async () => {
    const bench = await open();
    const { id } = await bench.createHealthy({ databaseType: 'mysql' });
    await bench.importText(id, 'kept\n');
    const server = (await bench.serversOf(id))[0]!;
    const isShut = () => Object.values(server.spec.access).every((networks) => networks.length === 0);
    expect(isShut()).toBe(false);
    const seen: [string, boolean][] = [];
    let killed = 0;
    bench.engines.mysql.around = (now, method) => {
      if (now === 'after' && ['empty', 'dump', 'load'].includes(method)) seen.push([method, isShut()]);
      if (now === 'after' && method === 'load' && killed++ === 0) throw new Error('Killed');
    };
    await bench.importText(id, 'new\nfail\n');
    const methods = ['dump', 'load', 'empty', 'load', 'dump', 'load', 'empty', 'load'];
    expect(seen).toEqual(methods.map((method) => [method, true]));
    expect(isShut()).toBe(false);
    expect(await bench.contentsOf({ id })).toEqual(['kept']);
  });

  it('does not begin while its server is down, since it comes up with open doors if nobody shuts them', async () => {
    const bench = await open();
    const { id } = await bench.createHealthy({ databaseType: 'mysql' });
    const server = (await bench.serversOf(id))[0]!;
    server.isRunning = false;
    const dumps = () => bench.engines.mysql.calls.filter((method) => method === 'dump').length;
    expect(await bench.begin(id, await bench.upload(Buffer.from('new\n')))).toMatchObject({ status: 200 });
    await eventually('it says so', async () => /server is down/.test((await bench.read(id)).error ?? ''));
    expect(dumps()).toBe(0);
    server.isRunning = true;
    await bench.waitFor(id, 'healthy');
    expect(await bench.contentsOf({ id })).toEqual(['new']);
  });

  it('says so while what was there cannot be put back, and recovers once it can', async () => {
    const bench = await open();
    const { id } = await bench.createHealthy({ databaseType: 'mysql' });
    await bench.importText(id, 'kept\n');
    let isBroken = true;
    bench.engines.mysql.around = (now, method) => {
      if (isBroken && now === 'before' && method === 'empty') throw new EngineRefused('The disk is full');
    };
    expect(await bench.begin(id, await bench.upload(Buffer.from('new\nfail\n')))).toMatchObject({ status: 200 });
    await eventually('it says so', async () => (await bench.read(id)).error !== null);
    const { body } = await bench.call('/api/databases/status', { databaseId: id });
    expect(body).toMatchObject({
      status: 'updating',
      error: expect.stringMatching(/could not be put back yet: The disk is full\. It is kept, and tried again/),
    });
    isBroken = false;
    await eventually('it has ended', async () => (await bench.read(id)).status !== 'updating');
    expect(await bench.read(id)).toMatchObject({ status: 'healthy', error: expect.stringContaining('line 2') });
    expect(await bench.contentsOf({ id })).toEqual(['kept']);
    await bench.untilNone('backups/');
  });
});

describe('uploads', () => {
  it('that are archives are not imported, and dumps are not deployed', async () => {
    const bench = await open();
    const { id } = await bench.createHealthy();
    const archive = await bench.upload(Buffer.from('PK'), 'application/zip');
    expect(await bench.begin(id, archive)).toMatchObject({ status: 409, body: { code: 'CF001' } });
    const dump = await bench.upload(Buffer.from('one'));
    const body = { name: 'x', uploadId: dump, deploymentType: 'static' };
    expect(await bench.call('/api/applications/create-from-upload', body)).toMatchObject({ status: 409 });
    expect(await bench.begin(id, 'upl_nowhere')).toMatchObject({ status: 404, body: { code: 'NF001' } });
  });
});
