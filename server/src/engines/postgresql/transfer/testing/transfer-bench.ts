import { PassThrough } from 'node:stream';
import pg from 'pg';
import { OWNER, specFor } from '../../../conformance-subject.ts';
import type { DatabaseOwner } from '../../../engine.ts';
import type { ServerSpec } from '../../../server.ts';
import { inPieces, never } from '../../../testing/transfer-input.ts';
import type { DumpSummary, LoadSummary } from '../../../transfer.ts';
import { connectAsOwner, connectAsPlatform } from '../../connect.ts';
import type { PostgresqlPrograms } from '../../programs.ts';
import { openPostgresql, type PostgresqlSubject } from '../../testing/postgresql-subject.ts';
import { createPostgresqlTransfer } from '../create-transfer.ts';

export interface TransferBench extends AsyncDisposable {
  subject: PostgresqlSubject;
  spec: ServerSpec;
  home: string;
  transfer: ReturnType<typeof createPostgresqlTransfer>;
  /** A database of that name, empty, with an owner of its own. */
  database(name: string): Promise<DatabaseOwner>;
  /** As the owner; a script of several statements is one transaction. */
  query(owner: DatabaseOwner, text: string): Promise<Record<string, unknown>[]>;
  /** As superuser. */
  ask(text: string, databaseName?: string): Promise<Record<string, unknown>[]>;
  dump(owner: DatabaseOwner): Promise<DumpSummary & { text: Buffer }>;
  load(owner: DatabaseOwner, text: Buffer | string): Promise<LoadSummary>;
}

export async function openTransferBench(programs: PostgresqlPrograms): Promise<TransferBench> {
  const subject = await openPostgresql(programs);
  const spec = await specFor(subject, 'dbs_1');
  await subject.engine.create(spec);
  await subject.engine.start(spec);
  const home = (await subject.host.find(spec.id))?.home ?? '';
  const transfer = createPostgresqlTransfer(subject);

  async function ask(text: string, databaseName = 'postgres') {
    await using session = await connectAsPlatform(home, databaseName);
    return (await session.client.query<Record<string, unknown>>(text)).rows;
  }

  return {
    subject,
    spec,
    home,
    transfer,
    ask,
    async database(name) {
      const owner = { ...OWNER, databaseName: name, user: `owner_of_${name}` };
      await ask(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`);
      await subject.engine.createDatabase(spec, owner);
      return owner;
    },
    async query(owner, text) {
      await using session = await connectAsOwner(home, owner);
      return (await session.client.query<Record<string, unknown>>(text)).rows;
    },
    async dump(owner) {
      const sink = new PassThrough();
      const pieces: Buffer[] = [];
      sink.on('data', (piece: Buffer) => pieces.push(piece));
      const summary = await transfer.dump(spec, owner.databaseName, sink, never);
      return { ...summary, text: Buffer.concat(pieces) };
    },
    load: (owner, text) => transfer.load(spec, owner, inPieces(Buffer.from(text)), { signal: never }),
    [Symbol.asyncDispose]: () => subject[Symbol.asyncDispose](),
  };
}

/** What `pg_dump` writes anew each time. */
const withoutKeys = (text: Buffer | string): string =>
  text.toString().replaceAll(/^\\(?:un)?restrict [A-Za-z0-9]{60,}$/gm, '');

/** Where two dumps differ first; null where they are the same. */
export function firstDifference(left: Buffer | string, right: Buffer | string): [string, string] | null {
  const [one, other] = [withoutKeys(left), withoutKeys(right)];
  if (one === other) return null;
  const [lines, others] = [one.split('\n'), other.split('\n')];
  const at = lines.findIndex((line, index) => line !== others[index]);
  const around = (all: string[]) =>
    all
      .slice(Math.max(0, at - 3), at + 3)
      .map((line) => line.slice(0, 200))
      .join('\n');
  return [around(lines), around(others)];
}
