import pg from 'pg';
import { expect, it } from 'vitest';
import { failureOf } from './failure.ts';

const sayOf = (code: string, message: string, readOnly = true): string => {
  const error = new pg.DatabaseError(message, message.length, 'error');
  error.code = code;
  return (failureOf(error, 1000, { text: 'select 1', readOnly }) as Error).message;
};

it.each([
  ['25006', 'cannot execute DELETE in a read-only transaction'],
  ['42501', 'permission denied for sequence item_id_seq'],
  ['42501', 'permission denied for table item'],
  ['42501', 'permission denied for function pg_terminate_backend'],
])('%s: %s – the owner may, which is advised to who only reads', (code, message) => {
  expect(sayOf(code, message)).toBe(`${message}. Run it with readOnly: false to let it change something.`);
  expect(sayOf(code, message, false)).toBe(`${message}.`);
});

it.each([
  'permission denied for function pg_read_file',
  'permission denied for table pg_authid',
  'permission denied for view pg_shadow',
  'permission denied for function lo_import',
  'permission denied to COPY to a file',
  'permission denied to set role "postgres"',
])('%s – nor may the owner, so nobody is sent to try that', (message) => {
  expect(sayOf('42501', message)).toBe(`${message}.`);
});
