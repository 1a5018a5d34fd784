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
  const named = known.slice(0, MOST_NAMED).map((each) => `${each.schema}.${each.name}`);
  return new TableMissing(`${missing}. There are: ${named.join(', ')}${known.length > MOST_NAMED ? ' …' : '.'}`);
}
