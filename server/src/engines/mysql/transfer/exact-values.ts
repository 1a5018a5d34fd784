/** The statement by which `mariadb-dump` asks for the rows of a table. */
const ASKS_FOR_ROWS = /^SELECT \/\*!40001 SQL_NO_CACHE \*\/ /;
const ONE_COLUMN = /(`(?:[^`]|``)+`|\w+|\*)(, | FROM )/y;
const ITS_TABLE = /`((?:[^`]|``)+)`/y;

/** What is asked of which table; null where rows are not asked for. */
export interface RowsQuery {
  table: string;
  /** As they stand in the statement; `*` alone: all that are not hidden. */
  columns: string[];
  /** From the name of the table on. */
  rest: string;
}

/** Text with a byte in each character. */
export function readRowsQuery(text: string): RowsQuery | null {
  const begun = ASKS_FOR_ROWS.exec(text);
  if (!begun) return null;
  const columns: string[] = [];
  for (let at = begun[0].length; ;) {
    ONE_COLUMN.lastIndex = at;
    const [whole = '', column = '', next] = ONE_COLUMN.exec(text) ?? [];
    if (whole === '') throw new UnknownQuery(text);
    columns.push(column);
    at += whole.length;
    if (next !== ' FROM ') continue;
    ITS_TABLE.lastIndex = at;
    const name = ITS_TABLE.exec(text)?.[1];
    if (name === undefined) throw new UnknownQuery(text);
    return { table: name.replaceAll('``', '`'), columns, rest: text.slice(at) };
  }
}

/** A `mariadb-dump` of another age: better no dump than one that has lost digits. */
export class UnknownQuery extends Error {
  constructor(text: string) {
    super(`mariadb-dump asks for rows in an unknown way: ${text.slice(0, 200)}`);
  }
}

export interface Column {
  /** In backquotes. */
  name: string;
  isFloat: boolean;
  isHidden: boolean;
}

/**
 * A FLOAT becomes text with six digits, though it has up to nine; as a DOUBLE it has all that it takes to be the same
 * again. Below zero it may be nothing, which no text tells (a DOUBLE never is): a number too small for it becomes that.
 */
export function withExactFloats({ columns, rest }: RowsQuery, known: readonly Column[]): string {
  const floats = new Set(known.filter(({ isFloat }) => isFloat).map(({ name }) => name));
  const all = () => known.filter(({ isHidden }) => !isHidden).map(({ name }) => name);
  const list = (columns[0] === '*' ? all() : columns).map((name) =>
    floats.has(name) ? `${exactly(name)} AS ${name}` : name,
  );
  return `SELECT /*!40001 SQL_NO_CACHE */ ${list.join(', ')} FROM ${rest}`;
}

const exactly = (name: string): string => `IF(${name} = 0 AND ATAN2(${name}, -1) < 0, -1e-60, CAST(${name} AS DOUBLE))`;

const MODE_OF_DUMPS = /(@OLD_SQL_MODE=@@SQL_MODE, SQL_MODE=')NO_AUTO_VALUE_ON_ZERO(?=')/;

/** The mode that a dump is loaded in takes dates that no calendar has, such as the 31st of February, for zero dates. */
export const keepingDates = (text: string): string =>
  text.replace(MODE_OF_DUMPS, '$1NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES');
