import { expect, it } from 'vitest';
import { OWN_FOLDERS } from '../../engines/mysql/settings.ts';
import { assertInnerName } from './inner-names.ts';

it('no database has the name of a folder that the server keeps beside those of databases', () => {
  for (const folder of Object.values(OWN_FOLDERS)) {
    expect(() => assertInnerName('databaseName', folder)).toThrow(/keeps for itself/);
  }
  expect(() => assertInnerName('databaseName', 'shop')).not.toThrow();
});
