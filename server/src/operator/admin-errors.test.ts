import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../lib/log.ts';
import { createErrorKeeper } from '../modules/platform/keep-errors.ts';
import { openOperatorBench, type OperatorBench } from '../testing/operator-bench.ts';

let bench: OperatorBench;
beforeEach(async () => {
  bench = await openOperatorBench();
  await bench.createOwner();
});
afterEach(() => bench[Symbol.asyncDispose]());

const errors = (...more: string[]) => bench.lilac(['admin', 'errors', ...more]);

/** In their order: the last is the newest. */
async function fail(...messages: string[]): Promise<void> {
  const keeper = createErrorKeeper({ db: bench.store.db, log: silentLog, role: 'worker' });
  for (const [at, message] of messages.entries()) {
    const error = new Error(message);
    keeper.keep({ errorId: `err_${at}`, origin: 'deployments.build', requestId: `req_${at}`, jobId: `${at}`, error });
  }
  await keeper.close();
}

describe('lilac admin errors', () => {
  it('says so when nothing has failed', async () => {
    expect(await errors()).toMatchObject({ exitCode: 0, out: 'Nothing has failed unexpectedly.\n' });
    expect(JSON.parse((await errors('--json')).out)).toEqual({ errors: [] });
  });

  it('lists the newest first, a line each, as many as asked for', async () => {
    await fail('first', 'second', 'third\nwith more', '\u001b[2Jfourth');
    const { out } = await errors('--limit', '3');
    const lines = out.trim().split('\n');
    expect(lines.map((line) => line.split('  ').slice(1).join('  '))).toEqual([
      'err_3  deployments.build  fourth',
      'err_2  deployments.build  third',
      'err_1  deployments.build  second',
    ]);
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ  /);
  });

  it.each(['err_1', 'req_1', '1'])('shows all of one, found by %s', async (id) => {
    await fail('first', 'second');
    const { exitCode, out } = await errors(id);
    expect(exitCode).toBe(0);
    for (const part of ['err_1', 'req_1', 'deployments.build (worker)', 'second', 'admin-errors.test.ts']) {
      expect(out).toContain(part);
    }
    expect(out).not.toContain('first');
    expect(JSON.parse((await errors(id, '--json')).out)).toEqual({
      errors: [
        {
          errorId: 'err_1',
          at: expect.any(String) as string,
          role: 'worker',
          origin: 'deployments.build',
          requestId: 'req_1',
          jobId: '1',
          message: 'second',
          stack: expect.stringContaining('Error: second') as string,
        },
      ],
    });
  });

  it('1 on an id that is not kept, and says what to give', async () => {
    const { exitCode, out, err } = await errors('err_unknown');
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(err).toContain('No error err_unknown is kept.');
    expect(err).toContain('errorId of an answer');
  });

  it.each(['0', 'many', '1001', '-1'])('2 on --limit %s', async (limit) => {
    expect(await errors(`--limit=${limit}`)).toMatchObject({ exitCode: 2, out: '' });
  });
});
