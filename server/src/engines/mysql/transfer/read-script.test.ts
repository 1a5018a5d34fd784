import { describe, expect, it } from 'vitest';
import { StatementTooLong } from '../../script-text.ts';
import { countReads } from '../../testing/count-reads.ts';
import { LoadFailed } from '../../transfer.ts';
import { readScript, type ScriptPart } from './read-script.ts';
import { createSqlLexer } from './sql-lexer.ts';
import { everything } from './testing/everything.ts';

async function* inPieces(bytes: Buffer, at: readonly number[]): AsyncGenerator<Buffer> {
  let from = 0;
  for (const to of [...at, bytes.length]) {
    if (to > from) yield bytes.subarray(from, to);
    from = to;
  }
}

const usual = () => ({ backslashes: true, ansiQuotes: false });

async function partsOf(script: string, at: readonly number[] = [], mode = usual()): Promise<ScriptPart[]> {
  const parts: ScriptPart[] = [];
  for await (const part of readScript(inPieces(Buffer.from(script, 'latin1'), at), mode)) parts.push(part);
  return parts;
}

const textsOf = async (script: string, mode = usual()): Promise<string[]> =>
  (await partsOf(script, [], mode)).map(({ text }) => text).filter(Boolean);

const TRICKY = String.raw`-- first; comment
# another; one
/*M!999999\- enable the sandbox mode */
select 'a;b\';''', "d;\"", ${'`na;``me`'}, 1--1 /* c; */ ;
/*!50003 CREATE*/ /*!50017 DEFINER=${'`a;`@`%`'}*/ /*!50003 TRIGGER t BEFORE INSERT ON x FOR EACH ROW BEGIN /* in; */ SET @a = ';'; END */;
DELIMITER ;;
create procedure p() begin select 1; select 'x;;y'; end ;;
delimiter $$
create procedure q() begin select 1;; end$$
Delimiter ;
insert into t (a, b) values (1, '),('), (2, "()"),(3, f(1, 2)) on duplicate key update a = (1);
/*!40101 SET @x = 'a*/b' */; ;
--
select 5`;

describe('a script', () => {
  it("is taken apart as MariaDB's client does it", async () => {
    expect(await textsOf(TRICKY)).toEqual([
      String.raw`/*M!999999\- enable the sandbox mode */
select 'a;b\';''', "d;\"", ${'`na;``me`'}, 1--1 /* c; */ `,
      "/*!50003 CREATE*/ /*!50017 DEFINER=`a;`@`%`*/ /*!50003 TRIGGER t BEFORE INSERT ON x FOR EACH ROW BEGIN /* in; */ SET @a = ';'; END */",
      'DELIMITER ;;',
      "create procedure p() begin select 1; select 'x;;y'; end ",
      'delimiter $$',
      'create procedure q() begin select 1;; end',
      'Delimiter ;',
      `insert into t (a, b) values (1, '),('), (2, "()"),(3, f(1, 2)) on duplicate key update a = (1)`,
      "/*!40101 SET @x = 'a*/b' */",
      'select 5',
    ]);
  });

  it('is the same wherever it is cut', async () => {
    const whole = await partsOf(TRICKY);
    for (let at = 1; at < TRICKY.length; at++) expect(await partsOf(TRICKY, [at])).toEqual(whole);
  });

  it('is the same in pieces of any size, with everything in it', async () => {
    const text = Buffer.from(everything).toString('latin1');
    const whole = await partsOf(text);
    expect(whole.length).toBeGreaterThan(30);
    for (const size of [1, 2, 3, 7, 64, 1000]) {
      const at = Array.from({ length: Math.ceil(text.length / size) }, (_, index) => index * size);
      expect(await partsOf(text, at)).toEqual(whole);
    }
  });

  it('put together again is what it was', async () => {
    const parts = await partsOf(TRICKY);
    const texts = parts.map((part) => part.before + part.text + (part.kind === 'statement' ? part.after : ''));
    expect(texts.join('')).toBe(TRICKY);
  });

  it('tells lines and rows', async () => {
    const parts = (await partsOf(
      "select 1;\n\n/* x\n*/ insert into t values (1),\n('a\n(');delimiter //\nselect 2//",
    )) as {
      line: number;
      rows?: number;
    }[];
    expect(parts.map(({ line, rows }) => [line, rows]).slice(0, 4)).toEqual([
      [1, 0],
      [4, 2],
      [6, undefined],
      [7, 0],
    ]);
  });

  it('reads quotes as the mode wants it', async () => {
    const script = String.raw`select 'a\'; select "b\"; select 3;`;
    expect(await textsOf(script, { backslashes: false, ansiQuotes: false })).toHaveLength(3);
    expect(await textsOf(String.raw`select "b\"; select 3;`, { backslashes: true, ansiQuotes: true })).toHaveLength(2);
    await expect(textsOf(script)).rejects.toThrow(/within a quoted text/);
  });

  it.each([
    ["select 1;\nselect 'a", /^Line 2: the file ends within a quoted text/],
    ['select `a', /^Line 1: the file ends within a quoted name/],
    ['select 1 /* a', /the file ends within a comment/],
    ['/*!50000 select 1', /the file ends within a comment/],
  ])('refuses %j', async (script, words) => {
    const failure = partsOf(script);
    await expect(failure).rejects.toThrow(LoadFailed);
    await expect(failure).rejects.toThrow(words);
  });

  it.each([
    ['a number', `0x${'ab'.repeat(10_000)}`],
    ['a word', 'word'.repeat(5000)],
    ['a version', `/*!${'1'.repeat(20_000)}*/`],
    ['a text', `'${'x'.repeat(20_000)}'`],
  ])('is looked at once, however long %s is and in however many pieces it comes', (_what, long) => {
    const script = `insert into t values (${long}, 2)`;
    expect(countReads(createSqlLexer(usual()), script, 100)).toBeLessThan(script.length * 8);
  });

  it('does not hold a statement that is too long', async () => {
    const parts = readScript(inPieces(Buffer.from('select 1, 2, 3'), [4, 8]), usual(), 10);
    await expect(parts.next()).rejects.toThrow(StatementTooLong);
  });
});
