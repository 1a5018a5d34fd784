import { expect, it } from 'vitest';
import { eventually } from '../conformance-subject.ts';
import { allEnd, endOf, endsOf, GOING, type Kit } from './conformance-kit.ts';
import { LONGEST_CELL } from './limits.ts';

/** Statements of the caller's own run within bounds, and end when they are to. */
export function conformStatements(kit: () => Kit): void {
  const untilNothingRuns = () => eventually('nothing runs', async () => (await kit().countSessions()) === 0);

  it('binds the parameters of a statement', async () => {
    const { read, write, dialect } = kit();
    const evil = `'; drop table place; --`;
    await write(`insert into place values (9, ${dialect.parameter})`, [evil]);
    expect((await read(`select id from place where name = ${dialect.parameter}`, [evil])).rows).toEqual([[9]]);
    expect((await read(`select id from place where id = ${dialect.parameter}`, [9])).rows).toEqual([[9]]);
    await expect(read('select 1', [1])).rejects.toThrow(/0 parameters, and 1/);
    await expect(read(`select ${dialect.parameter}`)).rejects.toThrow(/1 parameters, and 0/);
  });

  it('says what the database says, and runs one statement only', async () => {
    const { read, write, names } = kit();
    await expect(read('selec 1')).rejects.toThrow(/syntax/);
    await expect(read('select *\nfrom\nnowhere')).rejects.toThrow(/nowhere/);
    const none = ['', '  ', '-- nothing', 'select \0 1'];
    const several = ['select 1; select 2', 'select 1; drop table place'];
    expect(await endsOf([...none, ...several], read)).toEqual(allEnd([...none, ...several], 'refused'));
    expect(await endsOf(several, write)).toEqual(allEnd(several, 'refused'));
    expect(await names()).toEqual(['place']);
  });

  it('leaves nothing behind of what only reads', async () => {
    const { read, write, rows, names, dialect } = kit();
    for (const text of dialect.sideEffects) {
      // Some are refused, others are taken back.
      const end = await endOf(read(text));
      const left = { text, end, tables: await names(), rows: (await rows('place')).rows };
      expect(left).toEqual({
        text,
        end: expect.stringMatching(/^(refused|taken)$/) as string,
        tables: ['place'],
        rows: [
          { id: 1, name: 'one' },
          { id: 2, name: 'Two' },
          { id: 3, name: null },
        ],
      });
    }
    for (const text of dialect.refused)
      expect({ text, end: await endOf(read(text)) }).toEqual({ text, end: 'refused' });
    await expect(read('delete from place')).rejects.toThrow(/readOnly: false/);
    expect(await write('delete from place')).toMatchObject({ rows: [], rowCount: 3, truncated: false });
  });

  it('reads no more rows than wanted', async () => {
    const { read, dialect } = kit();
    const answer = await read(dialect.manyRows(100_000_000), [], { maxRows: 150 });
    expect(answer).toMatchObject({ rowCount: 150, truncated: true });
    expect(answer.rows).toHaveLength(150);
    const whole = await read(dialect.manyRows(150), [], { maxRows: 150 });
    expect(whole).toMatchObject({ rowCount: 150, truncated: false });
  });

  it('runs what may change something to its end', async () => {
    const { create, rows, read, dialect } = kit();
    await create('many', { id: 'int' });
    const text = `insert into many ${dialect.manyRows(500)} returning id`;
    expect(await read(text, [], { readOnly: false, maxRows: 10 })).toMatchObject({ truncated: true });
    expect((await rows('many')).total).toBe(500);
  });

  it('bounds what is answered', async () => {
    const { create, insert, write, rows, read, dialect } = kit();
    const long = dialect.quoted('long');
    await create('long', { id: 'int', t: dialect.types.text });
    await insert('long', { id: 0, t: 'x'.repeat(LONGEST_CELL + 1) });
    for (let count = 1; count < 128; count *= 2)
      await write(`insert into ${long} select id + ${count}, t from ${long}`);
    const cut = `${'x'.repeat(LONGEST_CELL)}… (cut)`;
    const page = await rows('long');
    expect(page.rows[0]).toEqual({ id: 0, t: cut });
    expect(page.total).toBe(128);
    expect(JSON.stringify(page).length).toBeLessThan(5_000_000);
    const answer = await read(`select * from ${long} order by id`);
    expect(answer.rows[0]).toEqual([0, cut]);
    expect(answer.truncated).toBe(true);
    expect(JSON.stringify(answer).length).toBeLessThan(5_000_000);
    await expect(read(dialect.giant)).rejects.toThrow(/too large/);
  });

  it('ends a statement when its time is over', async () => {
    const { read, dialect } = kit();
    await expect(read(dialect.sleep(600), [], { timeoutMs: 200 })).rejects.toThrow(/longer than 0.2 seconds/);
    await untilNothingRuns();
  });

  it('ends a statement by its id, from anywhere', async () => {
    const { read, another, dialect } = kit();
    const queryId = 'Query_id-1'.padEnd(48, 'x');
    expect(await another().cancel(queryId)).toBe(false);
    for (const readOnly of [true, false]) {
      const running = read(dialect.sleep(600), [], { queryId, readOnly, timeoutMs: 600_000 });
      const ended = running.catch((error: unknown) => String(error));
      await eventually('it was found', () => another().cancel(queryId));
      expect(await ended).toMatch(/cancelled/);
      expect(await another().cancel(queryId)).toBe(false);
    }
    await untilNothingRuns();
  });

  it('ends a statement that nobody waits for', async () => {
    const { explorer, countSessions, dialect } = kit();
    const text = dialect.sleep(600);
    const statement = { text, parameters: [], readOnly: true, queryId: null, maxRows: 1, timeoutMs: 600_000 };
    const leaving = new AbortController();
    const ended = explorer.query(statement, leaving.signal).catch((error: unknown) => String(error));
    await eventually('it runs', async () => (await countSessions()) === 1);
    leaving.abort(new Error('gone'));
    expect(await ended).toMatch(/gone/);
    await untilNothingRuns();
  });

  it('tells a server that is away from a statement that is refused', async () => {
    const { another } = kit();
    expect(await endOf(another({ password: 'another-password-1' }).schema(GOING))).toMatch(/server of this database/);
    expect(await endOf(another({ serverId: 'dbs_nowhere' }).schema(GOING))).toMatch(/not on this machine/);
  });
}
