import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOCAL, makeDatabase, OWNER, specFor } from '../conformance-subject.ts';
import type { ServerSpec } from '../server.ts';
import { findPrograms } from './programs.ts';
import { newestAndOldest, openPostgresql, type PostgresqlSubject } from './testing/postgresql-subject.ts';

/** Less than PostgreSQL itself gives somebody who does not prove who he is. */
const SOON_MS = 5000;

describe.each(newestAndOldest(await findPrograms(null)))('who is just entering PostgreSQL $series', (programs) => {
  let subject: PostgresqlSubject;
  let spec: ServerSpec;
  beforeAll(async () => {
    subject = await openPostgresql(programs);
    spec = await specFor(subject, 'dbs_entered');
    await makeDatabase(subject, spec);
  });
  afterAll(() => subject[Symbol.asyncDispose]());

  it('does not get in with a password that was changed meanwhile', async () => {
    const isClosed = await enterHalfWay(spec);
    await subject.engine.setPassword(spec, { user: OWNER.user, password: 'second-password-2' });
    await expect.poll(isClosed, { timeout: SOON_MS }).toBe(true);
  });

  it('does not get in from where nobody may come any more', async () => {
    const isClosed = await enterHalfWay(spec);
    await subject.engine.setAccess({ ...spec, access: { ...LOCAL, instanceNetworks: ['127.0.0.9/32'] } });
    await expect.poll(isClosed, { timeout: SOON_MS }).toBe(true);
  });
});

/** Says who it is, and is asked to prove it. */
async function enterHalfWay({ port }: ServerSpec): Promise<() => boolean> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  let isClosed = false;
  socket.on('close', () => (isClosed = true));
  const words = Buffer.from(`user\0${OWNER.user}\0database\0${OWNER.databaseName}\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(words.length + head.length, 0);
  head.writeInt32BE(3 << 16, 4);
  socket.write(Buffer.concat([head, words]));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString('latin1')).toContain('SCRAM-SHA-256');
  return () => isClosed;
}
