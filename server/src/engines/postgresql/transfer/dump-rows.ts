import pg from 'pg';
import { to as copyTo, type CopyToStreamQuery } from 'pg-copy-streams';
import { EngineRefused } from '../../engine.ts';
import type { Sink } from '../../write-to-sink.ts';
import type { PlaceToday } from './names-today.ts';
import { assertRowsFit, watchLines } from './row-limit.ts';
import { nameOf, type Table } from './tables.ts';

/** How to ask for rows. */
export interface RowsClients {
  /** In the view that everything is written from. */
  inView: pg.Client;
  placesOf: (oids: readonly string[]) => Promise<Map<string, PlaceToday>>;
  /** Of a row's text. */
  longestBytes: number;
  /** Told which table's turn it is. */
  onTable: (table: Table) => void;
}

/** Gives how many rows there were. */
export async function dumpRows(
  { inView, placesOf, longestBytes, onTable }: RowsClients,
  tables: readonly Table[],
  sink: Sink,
): Promise<number> {
  const copies: CopyToStreamQuery[] = [];
  const oids = tables.map(({ oid }) => oid);
  const names = await watchNames(() => placesOf(oids));
  await assertRowsFit(inView, { tables, nameToday: (oid) => names.of(oid), longestBytes }).catch(throwPlainly);
  for (const table of tables) {
    const { oid, columns, target } = table;
    onTable(table);
    // A table may have no columns at all, and rows all the same.
    const list = columns.map(pg.escapeIdentifier).join(', ');
    await sink.write(`COPY ${nameOf(target)}${list && ` (${list})`} FROM stdin;\n`);
    // Of no other table, whatever has the name by then.
    const rows = `select ${list} from only ${await names.of(oid)} where tableoid = ${oid}`;
    const copy = inView.query(copyTo(`copy (${rows}) to stdout`));
    copies.push(copy);
    if (!(await carry(copy, sink, watchLines(table, longestBytes)))) names.doubt(oid);
    await sink.write('\\.\n\n');
  }
  await names.settle();
  // How many rows it was is told after the last of them; with another answer all of that has been told.
  await inView.query('select');
  return copies.reduce((sum, { rowCount }) => sum + rowCount, 0);
}

const MOVED = 'Schemas of the database were renamed while it was written down; try again when that is over.';
/** Undefined table, undefined schema, undefined column: something else has its name. */
const ELSEWHERE = new Set(['42P01', '3F000', '42703']);

/** Whether there was anything. */
async function carry(copy: CopyToStreamQuery, sink: Sink, watch: (piece: Buffer) => void): Promise<boolean> {
  let hasRows = false;
  try {
    for await (const piece of copy) {
      hasRows ||= (piece as Buffer).length > 0;
      watch(piece as Buffer);
      await sink.write(piece as Buffer);
    }
  } catch (error) {
    throwPlainly(error);
  }
  return hasRows;
}

function throwPlainly(error: unknown): never {
  if (!ELSEWHERE.has((error as { code?: string }).code ?? '')) throw error;
  throw new EngineRefused(MOVED, { cause: error });
}

/** One look serves many small tables. */
const LOOK_MS = 500;

/**
 * A statement has only names, and a schema may be renamed although its tables are held. A table that had rows was the
 * right one; one that had none is in doubt until its name is seen to have been its own from before to after.
 */
async function watchNames(look: () => Promise<Map<string, PlaceToday>>) {
  let [places, lookedAt] = [await look(), performance.now()];
  let doubted: string[] = [];

  async function settle(): Promise<void> {
    const fresh = await look();
    if (doubted.some((oid) => fresh.get(oid)?.mark !== places.get(oid)?.mark)) throw new EngineRefused(MOVED);
    [places, lookedAt, doubted] = [fresh, performance.now(), []];
  }

  return {
    async of(oid: string): Promise<string> {
      if (performance.now() - lookedAt > LOOK_MS) await settle();
      const place = places.get(oid);
      if (!place) throw new EngineRefused(MOVED);
      return place.name;
    },
    doubt: (oid: string) => void doubted.push(oid),
    settle,
  };
}
