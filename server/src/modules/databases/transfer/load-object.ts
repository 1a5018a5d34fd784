import type { DatabaseRow } from '../../../db/schema.ts';
import type { DatabaseOwner } from '../../../engines/engine.ts';
import type { ServerSpec } from '../../../engines/server.ts';
import type { ObjectStore } from '../../../objects/object-store.ts';
import { advance } from '../database-store.ts';
import type { DatabaseWorkDeps } from '../databases-deps.ts';
import { refuseForeign } from './foreign-dump.ts';
import { readDump } from './read-dump.ts';

export interface Target {
  database: DatabaseRow;
  spec: ServerSpec;
  owner: DatabaseOwner;
}

interface ObjectToLoad {
  key: string;
  target: Target;
  signal: AbortSignal;
  /** Whether the status tells how far it is. */
  tell: boolean;
  onTransaction?: (id: string) => Promise<void>;
  onCommitted?: () => Promise<void>;
}

const TELL_MS = 1000;

export async function loadObject(
  { store, engines, objects }: Pick<DatabaseWorkDeps, 'store' | 'engines' | 'objects'>,
  { key, target: { database, spec, owner }, signal, tell, ...told }: ObjectToLoad,
): Promise<void> {
  const size = (await objects.stat(key))?.size ?? 0;
  const source = piecesOf(objects, key);
  const tellPercent = (percent: number) =>
    void advance(store.db, database.id, database.status, { percent }).catch(() => {});
  const text = refuseForeign(readDump(tell ? counted(source, size, tellPercent) : source), database.database_type);
  await engines[database.database_type].load(spec, owner, text, { signal, ...told });
}

/** Opened by who reads it, so that there is always somebody to be told that it is not there. */
async function* piecesOf(objects: Pick<ObjectStore, 'read'>, key: string): AsyncIterable<Buffer> {
  const source = objects.read(key);
  try {
    yield* source as AsyncIterable<Buffer>;
  } finally {
    source.destroy();
  }
}

async function* counted(
  source: AsyncIterable<Buffer>,
  size: number,
  tell: (percent: number) => void,
): AsyncIterable<Buffer> {
  let [read, toldAt] = [0, performance.now()];
  for await (const chunk of source) {
    yield chunk;
    read += chunk.length;
    if (performance.now() - toldAt < TELL_MS) continue;
    toldAt = performance.now();
    tell(Math.min(99, Math.floor((100 * read) / Math.max(1, size))));
  }
}
