import { MAY_ONLY_READ, tooSlow } from '../../explore/refusals.ts';
import { createRowCollector } from '../../explore/row-collector.ts';
import { StatementRefused, type Statement, type StatementResult } from '../../explorer.ts';
import { failureOf, hasNumber } from './failure.ts';
import { typeNameOf, type Field } from './fields.ts';
import { beginsLikeReading } from './is-reading.ts';
import { beginReading, type ExplorerSession } from './session.ts';
import { assertCount, prepare, runPlain, type Answered, type OnRow } from './statements.ts';
import { toCell, toParameter } from './values.ts';

const CANNOT_BE_PREPARED = 1295;

/** Some of these know their columns only when they run. */
const SHOWS = /^\s*show\s/i;

/**
 * What only reads does so in a transaction that cannot write, and its session ends when enough rows have come. What may
 * change something commits by itself and runs to its end, however many rows it answers.
 */
export async function runStatement(session: ExplorerSession, statement: Statement): Promise<StatementResult> {
  const { text, readOnly, maxRows, timeoutMs } = statement;
  if (text.includes('\0')) throw new StatementRefused('A statement cannot have characters of the number zero.');
  const collector = createRowCollector(maxRows);
  const enough = Promise.withResolvers<Answered>();
  const onRow: OnRow = (row, fields) => {
    collector.add(row.map((each, index) => toCell(each, fields[index] ?? UNKNOWN)));
    if (!readOnly || !collector.isFull()) return;
    enough.resolve({ fields, affectedRows: 0 });
    session.leave();
  };
  const begun = performance.now();
  try {
    if (readOnly) await beginReading(session.connection);
    const { fields, affectedRows } = await Promise.race([execute(session, statement, onRow), enough.promise]);
    // Some functions just answer something when their time is over.
    if (readOnly && !collector.isFull() && performance.now() > begun + timeoutMs) throw tooSlow(timeoutMs);
    return {
      columns: (fields ?? []).map((field) => ({ name: field.name, type: typeNameOf(field) })),
      rows: collector.rows,
      rowCount: fields ? collector.rows.length : affectedRows,
      truncated: collector.isFull(),
    };
  } catch (error) {
    throw failureOf(error, timeoutMs, statement);
  }
}

const UNKNOWN: Field = { name: '', columnType: -1, flags: 0, characterSet: 0 };

/**
 * A block of statements could end the transaction that cannot write and go on in another. But what is not a reading
 * answers no columns, or begins otherwise, so that it can be told before it runs.
 */
async function execute(
  { connection }: ExplorerSession,
  { text, parameters, readOnly }: Statement,
  onRow: OnRow,
): Promise<Answered> {
  const prepared = await prepare(connection, text).catch((error: unknown) => {
    if (!hasNumber(error, CANNOT_BE_PREPARED)) throw error;
    return null;
  });
  const isReading = beginsLikeReading(text) && (prepared?.columns || SHOWS.test(text));
  if (readOnly && !isReading) throw new StatementRefused(`This statement is no reading. ${MAY_ONLY_READ}`);
  assertCount(prepared?.parameters ?? 0, parameters.length);
  return prepared ? await prepared.run(parameters.map(toParameter), onRow) : await runPlain(connection, text, onRow);
}
