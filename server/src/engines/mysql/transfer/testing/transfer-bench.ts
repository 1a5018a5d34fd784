import { PassThrough } from 'node:stream';
import type { RowDataPacket } from 'mysql2/promise';
import { start } from '../../../../lib/exec.ts';
import { specFor } from '../../../conformance-subject.ts';
import type { DatabaseOwner } from '../../../engine.ts';
import type { ServerSpec } from '../../../server.ts';
import { inPieces, never } from '../../../testing/transfer-input.ts';
import type { DumpSummary, LoadSummary } from '../../../transfer.ts';
import { connectAsOwner } from '../../connect.ts';
import { openMysql, type MysqlSubject } from '../../testing/mysql-subject.ts';
import { createMysqlTransfer } from '../create-transfer.ts';

export interface TransferBench extends AsyncDisposable {
  subject: MysqlSubject;
  spec: ServerSpec;
  home: string;
  transfer: ReturnType<typeof createMysqlTransfer>;
  /** A database of that name, empty, with an owner of its own. */
  database(name: string): Promise<DatabaseOwner>;
  /** As the owner. */
  query(owner: DatabaseOwner, text: string): Promise<RowDataPacket[]>;
  /** As the platform. */
  ask(text: string): ReturnType<MysqlSubject['ask']>;
  /** As the platform, by the stock client or `mariadb-dump`. */
  stock(program: string, args: string[], input?: string): Promise<string>;
  dump(owner: DatabaseOwner): Promise<DumpSummary & { text: Buffer }>;
  load(owner: DatabaseOwner, text: Buffer | string): Promise<LoadSummary>;
}

export async function openTransferBench(): Promise<TransferBench> {
  const subject = await openMysql();
  const spec = await specFor(subject, 'dbs_1');
  await subject.engine.create(spec);
  await subject.engine.start(spec);
  const home = (await subject.host.find(spec.id))?.home ?? '';
  const transfer = createMysqlTransfer(subject);
  return {
    subject,
    spec,
    home,
    transfer,
    ask: (text) => subject.ask(spec.id, text),
    async database(name) {
      const owner = { databaseName: name, user: `${name}_owner`, password: 'first-password-1' };
      await subject.engine.empty(spec, owner);
      return owner;
    },
    async query(owner, text) {
      await using session = await connectAsOwner(home, owner);
      const [rows] = await session.connection.query<RowDataPacket[]>(text);
      return rows;
    },
    stock: (program, args, input = '') => runStock(home, [program, ...args], input),
    async dump({ databaseName }) {
      const sink = new PassThrough();
      const pieces: Buffer[] = [];
      sink.on('data', (piece: Buffer) => pieces.push(piece));
      const summary = await transfer.dump(spec, databaseName, sink, never);
      return { ...summary, text: Buffer.concat(pieces) };
    },
    load: (owner, text) => transfer.load(spec, owner, inPieces(Buffer.from(text)), { signal: never }),
    [Symbol.asyncDispose]: () => subject[Symbol.asyncDispose](),
  };
}

async function runStock(home: string, [program, ...args]: [string, ...string[]], input: string): Promise<string> {
  const argv = [program, '--no-defaults', '--socket=mysql.sock', '--default-character-set=utf8mb4', ...args] as const;
  const child = start(argv, { cwd: home, env: { PATH: '/usr/bin' }, stdio: ['pipe', 'pipe', 'pipe'] });
  let [output, words] = ['', ''];
  child.stdout?.setEncoding('latin1').on('data', (piece: string) => (output += piece));
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => (words += piece));
  child.stdin?.end(input);
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(words);
  return output;
}
