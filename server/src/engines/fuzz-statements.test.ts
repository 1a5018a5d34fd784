import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertFuzzed, fuzzRuns } from '../testing/fuzz-settings.ts';
import { growsLinearly, filled } from '../testing/grows-linearly.ts';
import { jsonCell } from './explore/cells.ts';
import { readColumnType } from './mysql/explorer/column-type.ts';
import { beginsLikeReading } from './mysql/explorer/is-reading.ts';
import { toCompared } from './mysql/explorer/values.ts';
import { withoutDefiner } from './mysql/transfer/definers.ts';
import { modeAfter } from './mysql/transfer/mode-after.ts';
import { withoutDatabase } from './mysql/transfer/own-names.ts';
import { createSqlLexer as mysqlLexer } from './mysql/transfer/sql-lexer.ts';
import { ruleFor, withDatabase } from './mysql/transfer/statement-rules.ts';
import { ruleForCommand } from './postgresql/transfer/psql-commands.ts';
import { createSqlLexer as postgresqlLexer } from './postgresql/transfer/sql-lexer.ts';

/** More than the API takes for one statement; a file may have longer ones, which are read piece by piece. */
const LARGEST = 2 ** 18;
const PIECE = 2 ** 14;

const PIECES = [
  ...' \t\n\'"`\\/*#-;$()[]{}=,.@!a0E_:%'.split(''),
  ...String.raw`/* */ /**/ /*! /*!50000 /*M! -- '' \' $$ $a$ E' a= \connect`.split(' '),
  ...'select analyze format= with show create definer= database use if not exists sql_mode= set begin atomic'.split(
    ' ',
  ),
  ...'end case function values insert delimiter names copy from stdin dbname='.split(' '),
  '``',
  '-- ',
  '\r\n',
];
const piece = fc.constantFrom(...PIECES);
const text = fc.array(piece, { maxLength: 4 }).map((parts) => parts.join(''));
const repeated = fc.array(piece, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));

/** In pieces, as it comes of a file. */
function readThrough(
  content: string,
  lexer: Pick<ReturnType<typeof postgresqlLexer>, 'reset'> & { advance: Advance },
): void {
  const whole = Buffer.from(content, 'latin1');
  let bytes = whole.subarray(0, PIECE);
  let taken = bytes.length;
  for (let at = 0; ;) {
    const { at: next, found } = lexer.advance(bytes, at, taken === whole.length);
    at = next;
    if (found !== 'nothing yet') {
      lexer.reset();
      // Whatever ends there is passed over, and one more of it.
      bytes = bytes.subarray(Math.min(bytes.length, at + 1));
      at = 0;
      continue;
    }
    if (taken === whole.length) return;
    const begun = taken - bytes.length;
    taken = Math.min(whole.length, taken + PIECE);
    bytes = whole.subarray(begun, taken);
  }
}

type Advance = (bytes: Buffer, from: number, isLast: boolean) => { at: number; found: string };

const bits = { name: 'a', isNumber: true } as Parameters<typeof toCompared>[1];
const quietly = (work: () => unknown) => () => {
  try {
    work();
  } catch {
    // It is refused.
  }
};

describe('statements of tenants', () => {
  it.each<[what: string, work: (content: string) => unknown]>([
    ['as one that reads', beginsLikeReading],
    [
      'by the lexer of MariaDB',
      (content) => readThrough(content, mysqlLexer({ backslashes: true, ansiQuotes: false })),
    ],
    ['by the lexer of PostgreSQL', (content) => readThrough(content, postgresqlLexer({ backslashes: false }))],
    ['as one that defines something', withoutDefiner],
    [
      'as one that sets how quotes are read',
      (content) => modeAfter({ words: ['set'], text: content }, { backslashes: true, ansiQuotes: false }),
    ],
    [
      'as one of a database',
      (content) => [ruleFor(['use'], content), ruleFor(['alter', 'database'], content), withDatabase(content, 'a')],
    ],
    ['as one with the name of its database', (content) => withoutDatabase(content, 'a')],
    ['as a command to psql', ruleForCommand],
    ['as a type', (content) => quietly(() => readColumnType(content))()],
    ['as a number', (content) => quietly(() => toCompared(content, bits))()],
    ['as a cell of JSON', jsonCell],
  ])('are read %s in time that grows as they do', async (_, work) => {
    const property = fc.asyncProperty(text, repeated, text, async (before, pump, after) => {
      const make = (length: number) => filled(length, pump, { before, after });
      expect(await growsLinearly({ largest: LARGEST, make, work })).toBe(true);
    });
    const known: [string, string, string][] = [
      ['', '/**/', 'do 1'],
      ['', '0', '!'],
      ['', '(', ''],
      ['analyze', ' ', ''],
      ['[1', '0', '1]'],
      ["'", "\\'", ''],
    ];
    await assertFuzzed(property, { ...fuzzRuns(60, 0.08), examples: known });
  });
});
