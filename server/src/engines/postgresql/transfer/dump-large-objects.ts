import pg from 'pg';
import { CannotBeDumped } from '../../transfer.ts';
import type { Sink } from '../../write-to-sink.ts';

const OBJECTS_AT_A_TIME = 1000;
const PAGES_AT_A_TIME = 128;

/** As text in a statement it may be twice as long, and that one has to be loaded again. */
const LONGEST_COMMENT_BYTES = 16 * 1024 ** 2;

interface LargeObject {
  oid: string;
  /** Null: there is none. */
  commentBytes: number | null;
}

interface Page {
  number: number;
  data: Buffer;
}

/** Under the same numbers, by which rows know them. */
export async function dumpLargeObjects(client: pg.Client, sink: Sink): Promise<void> {
  const { rows: sizes } = await client.query<{ bytes: number }>(
    "select current_setting('block_size')::int / 4 as bytes",
  );
  const pageBytes = sizes[0]?.bytes ?? 2048;
  for (let last = '0'; ;) {
    const { rows } = await client.query<LargeObject>(
      `select oid::text, octet_length(obj_description(oid, 'pg_largeobject')) as "commentBytes"
       from pg_largeobject_metadata where oid > $1 order by pg_largeobject_metadata.oid limit ${OBJECTS_AT_A_TIME}`,
      [last],
    );
    for (const { oid, commentBytes } of rows) {
      await sink.write(`SELECT pg_catalog.lo_create('${oid}');\n`);
      await dumpContent(client, { oid, pageBytes }, sink);
      if (commentBytes !== null) await dumpComment(client, { oid, commentBytes }, sink);
    }
    if (rows.length < OBJECTS_AT_A_TIME) return;
    last = rows.at(-1)?.oid ?? last;
  }
}

/** One at a time: together they could be more than this process can hold. */
async function dumpComment(
  client: pg.Client,
  { oid, commentBytes }: { oid: string; commentBytes: number },
  sink: Sink,
): Promise<void> {
  if (commentBytes > LONGEST_COMMENT_BYTES) throw new CannotBeDumped(commentTooLong(oid, commentBytes));
  const { rows } = await client.query<{ comment: string }>(
    "select obj_description($1::oid, 'pg_largeobject') as comment",
    [oid],
  );
  const comment = pg.escapeLiteral(rows[0]?.comment ?? '');
  await sink.write(`COMMENT ON LARGE OBJECT ${oid} IS ${comment};\n`);
}

const commentTooLong = (oid: string, bytes: number): string =>
  `The comment on the large object ${oid} has ${bytes} bytes, and ${LONGEST_COMMENT_BYTES} are the most that is written ` +
  'down. Make it shorter, then try again.';

/** Page by page as it is stored: one that is nearly all holes may claim to have terabytes. */
async function dumpContent(
  client: pg.Client,
  { oid, pageBytes }: { oid: string; pageBytes: number },
  sink: Sink,
): Promise<void> {
  for (let last = -1; ;) {
    const { rows } = await client.query<Page>(
      `select pageno as number, data from pg_largeobject
       where loid = $1 and pageno > $2 order by pageno limit ${PAGES_AT_A_TIME}`,
      [oid, last],
    );
    for (const { offset, data } of runsOf(rows, pageBytes)) {
      await sink.write(`SELECT pg_catalog.lo_put('${oid}', ${offset}, '\\x${data.toString('hex')}');\n`);
    }
    if (rows.length < PAGES_AT_A_TIME) return;
    last = rows.at(-1)?.number ?? last;
  }
}

/** Pages that follow one another without a hole are written at once. */
function runsOf(pages: readonly Page[], pageBytes: number): { offset: number; data: Buffer }[] {
  const runs: { offset: number; parts: Buffer[]; end: number }[] = [];
  for (const { number, data } of pages) {
    const offset = number * pageBytes;
    const run = runs.at(-1);
    if (run && run.end === offset) {
      run.parts.push(data);
      run.end = offset + data.length;
    } else {
      runs.push({ offset, parts: [data], end: offset + data.length });
    }
  }
  return runs.map(({ offset, parts }) => ({ offset, data: Buffer.concat(parts) }));
}
