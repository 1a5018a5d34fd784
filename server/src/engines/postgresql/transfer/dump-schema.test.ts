import { PassThrough } from 'node:stream';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { CannotBeDumped } from '../../transfer.ts';
import { never } from '../../testing/transfer-input.ts';
import { createPostgresqlTransfer } from './create-transfer.ts';
import { SCHEMA_LIMITS, type SchemaLimits } from './dump-schema.ts';
import { describeEachSeries } from './testing/each-series.ts';

const MEBIBYTE = 1024 ** 2;

describeEachSeries('what a database has besides its rows', (bench) => {
  function dumpWithin(schemaLimits: Partial<SchemaLimits>): Promise<unknown> {
    const transfer = createPostgresqlTransfer({
      ...bench.subject,
      schemaLimits: { ...SCHEMA_LIMITS, ...schemaLimits },
    });
    return transfer.dump(bench.spec, 'one', new PassThrough().resume(), never);
  }

  it('is refused where it is too large as text, however small it is on the disk', async () => {
    const owner = await bench.database('one');
    const body = "format('begin return 1; end --%s', repeat('x', 2000000))";
    await bench.query(
      owner,
      `do $$ begin execute format('create function f() returns int language plpgsql as %L', ${body}); end $$`,
    );
    const refused = dumpWithin({ textBytes: MEBIBYTE });
    await expect(refused).rejects.toThrow(CannotBeDumped);
    await expect(refused).rejects.toThrow(/functions, views, comments, .* more than about 1 MB as text/);
    expect(await dumpWithin({ textBytes: 4 * MEBIBYTE })).toEqual({ tables: 0, rows: 0 });
  });

  it('is refused where pg_dump would need more memory than it may have', async () => {
    const owner = await bench.database('one');
    await bench.query(
      owner,
      `create table t (a int);
       do $$ begin
         for i in 1 .. 20 loop
           execute format('create function f%s() returns int language plpgsql as %L', i,
             format('begin return 1; end --%s', repeat('x', 2000000)));
         end loop;
       end $$`,
    );
    // It says so in several ways.
    for (const memoryBytes of [16 * MEBIBYTE, 32 * MEBIBYTE]) {
      await expect(dumpWithin({ memoryBytes })).rejects.toThrow(CannotBeDumped);
    }
    expect(await dumpWithin({})).toEqual({ tables: 1, rows: 0 });
  });

  it('has comments on large objects, which are fetched one at a time', async () => {
    const owner = await bench.database('one');
    await bench.query(
      owner,
      `do $$ begin
         for i in 70001 .. 70020 loop
           perform lo_create(i);
           execute format('comment on large object %s is %L', i, i || repeat('x', 1000000));
         end loop;
         perform lo_create(70021);
       end $$`,
    );
    const asked = vi.spyOn(pg.Client.prototype, 'query');
    const { text } = await bench.dump(owner);
    const answers = await Promise.allSettled(asked.mock.results.map(({ value }) => value as unknown));
    asked.mockRestore();
    expect(text.toString().match(/COMMENT ON LARGE OBJECT (\d+) IS '\1x{1000000}';/g)).toHaveLength(20);
    const lengths = answers.map((answer) => {
      const { rows } = (answer.status === 'fulfilled' ? answer.value : {}) as { rows?: unknown[] };
      return JSON.stringify(rows ?? []).length;
    });
    expect(Math.max(...lengths)).toBeGreaterThan(1_000_000);
    expect(Math.max(...lengths)).toBeLessThan(1_100_000);
  });

  it('is refused where such a comment is larger than could be loaded', async () => {
    const owner = await bench.database('one');
    await bench.query(
      owner,
      `do $$ begin
         perform lo_create(70001);
         execute format('comment on large object 70001 is %L', repeat('x', 17 * 1024 * 1024));
       end $$`,
    );
    const refused = bench.dump(owner);
    await expect(refused).rejects.toThrow(CannotBeDumped);
    await expect(refused).rejects.toThrow(/^The comment on the large object 70001 has 17825792 bytes/);
  });
});
