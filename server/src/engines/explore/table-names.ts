import { TableMissing, type InTable } from '../explorer.ts';

export interface TableName {
  schema: string;
  name: string;
}

/** What a name may mean, the first that there is: a dot is part of the table's name, or stands behind that of its schema. */
export function readingsOf({ table, schema }: InTable, usualSchema: string): TableName[] {
  if (schema !== undefined) return [{ schema, name: table }];
  const [before, after] = [table.slice(0, table.indexOf('.')), table.slice(table.indexOf('.') + 1)];
  const isQualified = table.includes('.') && before !== '' && after !== '';
  return [{ schema: usualSchema, name: table }, ...(isQualified ? [{ schema: before, name: after }] : [])];
}

/** Tables that are named to somebody who asks for one that is not there. */
export const MOST_NAMED = 10;

/** Says which there are; of more than `MOST_NAMED` the rest is not named. */
export function tableMissing({ table, schema }: InTable, known: readonly TableName[]): TableMissing {
  const where = schema === undefined ? '' : ` in the schema ${JSON.stringify(schema)}`;
  const missing = `There is no table ${JSON.stringify(table)}${where}`;
  if (known.length === 0) return new TableMissing(`${missing}: the database has none.`);
  const named = known.slice(0, MOST_NAMED);
  const list = `${named.map(toldName).join(', ')}${known.length > MOST_NAMED ? ' …' : '.'}`;
  return new TableMissing(`${missing}. There are: ${list}${named.some(hasDot) ? APART : ''}`);
}

const hasDot = ({ schema, name }: TableName): boolean => schema.includes('.') || name.includes('.');

/** Which dot stands between the two would have to be guessed. */
const toldName = (table: TableName): string =>
  hasDot(table)
    ? `${JSON.stringify(table.name)} in the schema ${JSON.stringify(table.schema)}`
    : `${table.schema}.${table.name}`;

const APART = ' Where a name has a dot in it, give the schema by itself: `schema`, or --schema.';
