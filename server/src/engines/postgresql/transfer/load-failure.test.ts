import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { run } from '../../../lib/exec.ts';
import { LoadFailed } from '../../transfer.ts';
import { AnswerTooLong } from './drop-rows.ts';
import { failureOf } from './load-failure.ts';
import type { ScriptStatement } from './read-script.ts';

const statement = (text: string): ScriptStatement => ({
  kind: 'statement',
  text,
  line: 7,
  words: ['select'],
  takesRows: false,
});

function refusal(position: number, where?: string): pg.DatabaseError {
  const error = new pg.DatabaseError('column "x" does not exist', 10, 'error');
  return Object.assign(error, { code: '42703', position: String(position), where });
}

describe('what is told of a statement that the server refuses', () => {
  it('is the line of the file where it does not like it', () => {
    const text = 'select\n\n  x,\n y';
    const failure = failureOf(refusal(text.indexOf('x') + 1), statement(text), []);
    expect(failure).toBeInstanceOf(LoadFailed);
    expect((failure as Error).message).toBe('Line 9: column "x" does not exist');
    const copy = { ...statement('copy t\nfrom stdin;'), takesRows: true };
    expect((failureOf(refusal(1, 'COPY t, line 5, column x'), copy, []) as Error).message).toMatch(/^Line 13: /);
  });

  it('is the line where the server has more to say of it than anybody reads', () => {
    const failure = failureOf(new AnswerTooLong(2 ** 21), statement('select 1'), []);
    expect(failure).toBeInstanceOf(LoadFailed);
    expect((failure as Error).message).toMatch(/^Line 7: The server answers with a message of 2097152 bytes, /);
    expect((failureOf(new AnswerTooLong(2 ** 21), null, []) as Error).message).toMatch(/^The server answers /);
  });

  it('takes no more memory than the statement, though it is nothing but lines', async () => {
    const lines = 16 * 1024 ** 2;
    const script = `
      import pg from 'pg';
      import { failureOf } from ${JSON.stringify(new URL('./load-failure.ts', import.meta.url).href)};
      const error = Object.assign(new pg.DatabaseError('no', 2, 'error'), { code: '42703', position: '${lines + 7}' });
      const text = 'select' + '\\n'.repeat(${lines}) + 'x';
      console.log(failureOf(error, { text, line: 1, words: ['select', 'x'], takesRows: false }, []).message);`;
    const { stdout, stderr } = await run(
      [process.execPath, '--max-old-space-size=80', '--input-type=module', '--eval', script],
      { cwd: import.meta.dirname, env: {}, timeoutMs: 600_000 },
    );
    expect([stdout, stderr.slice(0, 1000)]).toEqual([`Line ${lines + 1}: no\n`, '']);
  });
});
