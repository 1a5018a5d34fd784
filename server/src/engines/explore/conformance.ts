import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { makeDatabase, specFor } from '../conformance-subject.ts';
import { createKit, SERVER, type Dialect, type ExplorerSubject, type Kit } from './conformance-kit.ts';
import { conformNames } from './conformance-names.ts';
import { conformRows } from './conformance-rows.ts';
import { conformStatements } from './conformance-statements.ts';

/** What every explorer must do, whatever its engine is: the comments of `explorer.ts`. */
export function describeExplorer(label: string, dialect: Dialect, open: () => Promise<ExplorerSubject>): void {
  describe(`the explorer of ${label}`, () => {
    let bench: ExplorerSubject | undefined;
    let kit: Kit | undefined;
    const current = (): Kit => {
      if (!kit) throw new Error('the explorer was not opened');
      return kit;
    };
    beforeAll(async () => {
      bench = await open();
      await makeDatabase(bench.subject, await specFor(bench.subject, SERVER));
      kit = createKit(bench, dialect);
    });
    afterAll(async () => {
      await bench?.[Symbol.asyncDispose]();
    });
    beforeEach(async () => {
      const { names, drop, create, write } = current();
      for (const table of await names()) await drop(table);
      await create('place', { id: 'int', name: 'varchar(200)' });
      await write(`insert into place values (1, 'one'), (2, 'Two'), (3, null)`);
    });
    conformNames(current);
    conformRows(current);
    conformStatements(current);
  });
}
