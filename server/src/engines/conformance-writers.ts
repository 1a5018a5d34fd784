import { setTimeout as delay } from 'node:timers/promises';
import { eventually, OWNER, type EngineSubject, type TestClient } from './conformance-subject.ts';

const WRITERS = 4;

/** Clients that write one row after another, and remember which of them were acknowledged. */
export interface Writers {
  acknowledged: readonly string[];
  /** They go on at another port, with the next connection. */
  moveTo(port: number): void;
  /** Until so many more are acknowledged than now. */
  untilMore(count: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startWriters(subject: EngineSubject, port: number): Promise<Writers> {
  await using client = await subject.connect({ ...OWNER, port });
  await client.query('create table written (id varchar(40) primary key)');
  const acknowledged: string[] = [];
  let target = port;
  const stopping = new AbortController();
  const isStopped = () => stopping.signal.aborted;

  async function write(writer: number): Promise<void> {
    for (let round = 0; !isStopped(); round++) {
      try {
        await using session = await subject.connect({ ...OWNER, port: target });
        for (let row = 0; !isStopped(); row++) {
          const id = `${writer}-${round}-${row}`;
          await session.query(`insert into written values ('${id}')`);
          acknowledged.push(id);
        }
      } catch {
        await delay(5);
      }
    }
  }

  const all = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  return {
    acknowledged,
    moveTo: (next) => void (target = next),
    async untilMore(count) {
      const wanted = acknowledged.length + count;
      await eventually(`${count} rows more are written`, () => acknowledged.length >= wanted);
    },
    async stop() {
      stopping.abort();
      await all;
    },
  };
}

/** The acknowledged rows that the database does not have. */
export async function findLost(client: TestClient, acknowledged: readonly string[]): Promise<string[]> {
  const rows = await client.query('select id from written');
  const there = new Set(rows.map(({ id }) => id));
  return acknowledged.filter((id) => !there.has(id));
}
