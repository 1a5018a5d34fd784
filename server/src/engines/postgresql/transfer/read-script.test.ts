import { describe, expect, it } from 'vitest';
import { countReads } from '../../testing/count-reads.ts';
import { LoadFailed } from '../../transfer.ts';
import { readScript } from './read-script.ts';
import { createSqlLexer } from './sql-lexer.ts';
import { everything } from './testing/everything.ts';

async function* inPieces(bytes: Buffer, at: readonly number[]): AsyncGenerator<Buffer> {
  let from = 0;
  for (const to of [...at, bytes.length]) {
    if (to > from) yield bytes.subarray(from, to);
    from = to;
  }
}

/** Parts in a form that does not show where the text was cut. */
async function partsOf(script: string, at: readonly number[] = [], mode = { backslashes: false }): Promise<unknown[]> {
  const parts: unknown[] = [];
  let rows = '';
  for await (const part of readScript(inPieces(Buffer.from(script), at), mode)) {
    if (part.kind !== 'rows') parts.push(part);
    else {
      rows += part.bytes.toString();
      if (part.isLast) parts.push(rows);
      if (part.isLast) rows = '';
    }
  }
  return parts;
}

const textsOf = async (script: string, mode = { backslashes: false }): Promise<string[]> =>
  (await partsOf(script, [], mode)).map((part) => (typeof part === 'string' ? part : (part as { text: string }).text));

const TRICKY = String.raw`-- first; comment
select 'a;b', E'it\'s; \\', "na;me", $$ body; $$, $x$ $y$ ; $x$, a$b$c, $1;
/* nested /* ; */ still ; */ select 1 /* in */ ; ;
create rule r as on insert to t do (select 1; select 2);
create or replace function f() returns int begin atomic select case when true then 1 end; select 2; end;
create function g() returns int language sql as 'begin; end;';
COPY t (a, b) FROM stdin;
1	x
\.x
2	\\.
\.
select U&'\0041;' , B'1' , 1e5 , 'x'
  'more; text' , E'a\'' -- ;
  'b\';' ;
copy u from stdin with (format csv);
\.
\connect shop
copy "from stdin" from stdin ;
"a
 \.
"
\.
select - -1 / * 2, 'ü', "ä" ; select 5`;

describe('a script', () => {
  it('is taken apart as psql does it', async () => {
    expect(await textsOf(TRICKY)).toEqual([
      String.raw`select 'a;b', E'it\'s; \\', "na;me", $$ body; $$, $x$ $y$ ; $x$, a$b$c, $1;`,
      'select 1 /* in */ ;',
      'create rule r as on insert to t do (select 1; select 2);',
      'create or replace function f() returns int begin atomic select case when true then 1 end; select 2; end;',
      "create function g() returns int language sql as 'begin; end;';",
      'COPY t (a, b) FROM stdin;',
      String.raw`1	x
\.x
2	\\.
`,
      String.raw`select U&'\0041;' , B'1' , 1e5 , 'x'
  'more; text' , E'a\'' -- ;
  'b\';' ;`,
      'copy u from stdin with (format csv);',
      '',
      String.raw`\connect shop`,
      'copy "from stdin" from stdin ;',
      '"a\n \\.\n"\n',
      `select - -1 / * 2, 'ü', "ä" ;`,
      'select 5',
    ]);
  });

  it('is the same wherever it is cut', async () => {
    const whole = await partsOf(TRICKY);
    const length = Buffer.byteLength(TRICKY);
    for (let at = 1; at < length; at++) expect(await partsOf(TRICKY, [at])).toEqual(whole);
    expect(
      await partsOf(
        TRICKY,
        Array.from({ length }, (_, at) => at),
      ),
    ).toEqual(whole);
  });

  it('is the same in pieces of any size, with everything in it', async () => {
    const whole = await partsOf(everything);
    expect(whole.length).toBeGreaterThan(90);
    for (const size of [1, 2, 3, 7, 64, 1000]) {
      const at = Array.from({ length: Math.ceil(Buffer.byteLength(everything) / size) }, (_, index) => index * size);
      expect(await partsOf(everything, at)).toEqual(whole);
    }
  });

  it('says in which lines its statements begin', async () => {
    const parts = (await partsOf(
      "select 1;\n\n-- c\n/* x\n*/ select\n'a\nb' ;\\x\ncopy t from stdin;\n1\n2\n\\.\nselect 2",
    )) as {
      line?: number;
    }[];
    expect(parts.map((part) => part.line)).toEqual([1, 5, 7, 8, undefined, 12]);
  });

  it('reads backslashes as the setting of old wants it', async () => {
    const script = String.raw`select 'a\'; -- '; select 2;`;
    expect(await textsOf(script, { backslashes: false })).toEqual([String.raw`select 'a\';`]);
    expect(await textsOf(script, { backslashes: true })).toEqual([String.raw`select 'a\'; -- ';`, 'select 2;']);
  });

  it.each([
    ["select 1;\nselect 'a", /^Line 2: the file ends within a quoted text/],
    ['create function f() as $x$ a $y$', /^Line 1: the file ends within a text between dollar signs/],
    ['select 1 /* a', /the file ends within a comment/],
    ['insert into t values (1', /the file ends within a statement/],
    ['copy t from stdin;\n1\n2\n', /^Line 4: the file ends within the rows of COPY/],
    ['copy t from stdin; select 1;\n', /^Line 1: after COPY … FROM stdin; the rows begin on the next line/],
    ['select 1;\nselect \0', /^Line 2: .*zero byte/],
  ])('refuses %j', async (script, words) => {
    const failure = partsOf(script);
    await expect(failure).rejects.toThrow(LoadFailed);
    await expect(failure).rejects.toThrow(words);
  });

  it('refuses a text that is not UTF-8', async () => {
    const latin = (async function* () {
      yield await Promise.resolve(Buffer.from("select 1;\nselect 'ü';", 'latin1'));
    })();
    const read = async () => {
      for await (const _part of readScript(latin, { backslashes: false }));
    };
    await expect(read()).rejects.toThrow(/^Line 2: the text is not UTF-8/);
  });

  it('does not hold a statement without an end', async () => {
    const endless = (async function* () {
      yield await Promise.resolve(Buffer.from("select '"));
      for (;;) yield Buffer.alloc(4 * 1024 ** 2, 'x');
    })();
    const read = async () => {
      for await (const _part of readScript(endless, { backslashes: false }));
    };
    await expect(read()).rejects.toThrow(/^Line 1: a statement is longer than 128 MB/);
  });

  it.each([
    ['a number', '1'.repeat(20_000)],
    ['a word', 'word'.repeat(5000)],
    ['what may be a tag', `$${'tag'.repeat(6000)}`],
    ['a text', `'${'x'.repeat(20_000)}'`],
  ])('is looked at once, however long %s is and in however many pieces it comes', (_what, long) => {
    const script = `insert into t values (${long}, 2)`;
    expect(countReads(createSqlLexer({ backslashes: false }), script, 100)).toBeLessThan(script.length * 8);
  });
});
