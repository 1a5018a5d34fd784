import { expect, it } from 'vitest';
import { sayDatabase } from './say-database.ts';

const MARIADB =
  'You have an error in your SQL syntax; check the manual that corresponds to your server for the right syntax to use near';

it.each([
  ['cannot insert multiple commands into a prepared statement.', '', /two statements or more\. Run them one after/],
  ['syntax error at or near "selec".', 'selec 1', /does not understand the statement at “selec”\. Correct it/],
  ['Line 3: syntax error at or near "form".', 'select\n1\nform x', /at “form” in line 3\./],
  ['syntax error at end of input.', 'select 1 from', /not finished/],
  [`${MARIADB} 'selec 1' at line 1.`, 'selec 1', /at “selec 1” in line 1/],
  [`${MARIADB} 'select 2' at line 1.`, 'select 1; select 2', /two statements or more/],
  [`${MARIADB} '' at line 1.`, 'select 1 from', /not finished/],
  ['relation "nowhere" does not exist.', '', /^The database says: relation "nowhere" does not exist\.$/],
  ['Line 2: column "x" does not exist.', '', /^The database says of line 2: column/],
  ['It was cancelled.', '', /^It was cancelled\.$/],
] as const)('%j of %j is said as a sentence', (message, statement, words) => {
  expect(sayDatabase(message, statement)).toMatch(words);
});
