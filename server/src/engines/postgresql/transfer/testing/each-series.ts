import { afterAll, beforeAll, describe } from 'vitest';
import { findPrograms, type PostgresqlPrograms } from '../../programs.ts';
import { openTransferBench, type TransferBench } from './transfer-bench.ts';

const found = await findPrograms(null);
/** The newest PostgreSQL that there is, and the oldest. */
export const series = [...new Set([found[0], found.at(-1)])].filter((each) => each !== undefined);

/** Tests with a server of each series, which is there when the first of them begins. */
export function describeEachSeries(
  what: string,
  tests: (bench: TransferBench, programs: PostgresqlPrograms) => void,
): void {
  describe.each(series)(`${what}, PostgreSQL $series ($origin)`, (programs: PostgresqlPrograms) => {
    // Tests are told of it before there is one.
    const bench = {} as TransferBench;
    beforeAll(async () => {
      Object.assign(bench, await openTransferBench(programs));
    });
    afterAll(() => bench[Symbol.asyncDispose]());
    tests(bench, programs);
  });
}
