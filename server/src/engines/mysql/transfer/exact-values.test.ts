import { describe, expect, it } from 'vitest';
import { keepingDates, readRowsQuery, UnknownQuery, withExactFloats } from './exact-values.ts';

const asks = (rest: string) => `SELECT /*!40001 SQL_NO_CACHE */ ${rest}`;
const exactly = (name: string) =>
  `IF(${name} = 0 AND ATAN2(${name}, -1) < 0, -1e-60, CAST(${name} AS DOUBLE)) AS ${name}`;
const column = (name: string, isFloat: boolean, isHidden = false) => ({ name: `\`${name}\``, isFloat, isHidden });

describe('a question for rows', () => {
  it('asks for all digits of FLOAT columns, whatever their names are, and for the others as before', () => {
    const query = readRowsQuery(asks('`a`, `b``, FROM `, row_start FROM `t``1` FOR SYSTEM_TIME ALL'))!;
    expect(query.table).toBe('t`1');
    expect(withExactFloats(query, [column('a', false), column('b``, FROM ', true)])).toBe(
      asks(`\`a\`, ${exactly('`b``, FROM `')}, row_start FROM \`t\`\`1\` FOR SYSTEM_TIME ALL`),
    );
  });

  it('that is for all columns names those that are not hidden', () => {
    const known = [column('a', true), column('b', false), column('c', true, true)];
    expect(withExactFloats(readRowsQuery(asks('* FROM `t`'))!, known)).toBe(
      asks(`${exactly('`a`')}, \`b\` FROM \`t\``),
    );
  });

  it('is told from other questions, and refused where it is put in an unknown way', () => {
    expect(readRowsQuery('show create table `t`')).toBe(null);
    expect(() => readRowsQuery(asks('count(*) FROM `t`'))).toThrow(UnknownQuery);
  });
});

const mode = (modes: string) => `/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='${modes}' */`;

it('the mode that dumps are loaded in keeps dates that no calendar has', () => {
  expect(keepingDates(mode('NO_AUTO_VALUE_ON_ZERO'))).toBe(mode('NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES'));
  expect(keepingDates("insert into t values ('SQL_MODE=NO_AUTO_VALUE_ON_ZERO')")).toMatch(/ZERO'\)$/);
});
