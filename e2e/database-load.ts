import { setTimeout as delay } from 'node:timers/promises';
import { connectTo } from './databases.ts';

/** Clients that write without pause, each row of its own, and remember what was acknowledged, and when. */
export interface WriteLoad {
  acknowledged: readonly { id: string; at: number }[];
  stop(): Promise<void>;
}

export async function startWrites(url: string, clients = 4, pauseMs = 0): Promise<WriteLoad> {
  const first = await connectTo(url);
  await first.query('create table if not exists acknowledged (id varchar(40) primary key)');
  await first.close();
  const acknowledged: { id: string; at: number }[] = [];
  const stopping = new AbortController();
  const { signal } = stopping;
  const writers = Array.from({ length: clients }, (_, client) => write({ url, client, pauseMs, acknowledged, signal }));
  return {
    acknowledged,
    async stop() {
      stopping.abort();
      await Promise.all(writers);
    },
  };
}

interface Writing {
  url: string;
  client: number;
  /** Between two rows. */
  pauseMs: number;
  acknowledged: { id: string; at: number }[];
  signal: AbortSignal;
}

async function write({ url, client, pauseMs, acknowledged, signal }: Writing): Promise<void> {
  for (let number = 0; !signal.aborted;) {
    try {
      const connection = await connectTo(url);
      try {
        while (!signal.aborted) {
          const id = `${client}-${number++}`;
          await connection.query(`insert into acknowledged values ('${id}')`);
          acknowledged.push({ id, at: performance.now() });
          if (pauseMs > 0) await delay(pauseMs);
        }
      } finally {
        await connection.close().catch(() => {});
      }
    } catch {
      // The server is gone, or not yet there: what was not acknowledged need not be found.
      await delay(5);
    }
  }
}

/** What was acknowledged and is not there. */
export async function lostWrites(url: string, { acknowledged }: WriteLoad): Promise<string[]> {
  const connection = await connectTo(url);
  try {
    const there = new Set((await connection.query('select id from acknowledged')).map(([id]) => id));
    return acknowledged.map(({ id }) => id).filter((id) => !there.has(id));
  } finally {
    await connection.close();
  }
}
