import { describe, expect, it } from 'vitest';
import { ruleForCommand } from './psql-commands.ts';
import { ruleFor } from './statement-rules.ts';

const does = (statement: string): string => {
  const rule = ruleFor(statement.toLowerCase().split(' '));
  return 'forgiven' in rule ? 'try' : rule.does;
};

describe('a statement', () => {
  it.each([
    ['ALTER TABLE public t OWNER TO alice', 'leave out'],
    ['ALTER TABLE t RENAME COLUMN owner TO holder', 'run'],
    ['ALTER TABLE t ADD COLUMN owner text', 'run'],
    ['ALTER TABLE ONLY t DROP CONSTRAINT c', 'try'],
    ['ALTER DEFAULT PRIVILEGES FOR ROLE x GRANT SELECT ON TABLES TO y', 'try'],
    ['ALTER DATABASE shop SET x TO y', 'leave out'],
    ['ALTER USER MAPPING FOR x SERVER s', 'run'],
    ['CREATE EXTENSION IF NOT EXISTS plpgsql WITH SCHEMA pg_catalog', 'leave out'],
    ['CREATE EXTENSION IF NOT EXISTS hstore WITH SCHEMA public', 'try'],
    ['CREATE OR REPLACE PROCEDURAL LANGUAGE plpgsql', 'leave out'],
    ['CREATE PROCEDURE p LANGUAGE plpgsql AS', 'run'],
    ['CREATE FUNCTION plpgsql LANGUAGE plpgsql AS', 'run'],
    ['CREATE SCHEMA public', 'try'],
    ['CREATE SCHEMA shop', 'run'],
    ['CREATE ROLE alice', 'leave out'],
    ['CREATE DATABASE shop WITH TEMPLATE', 'leave out'],
    ['COMMENT ON EXTENSION hstore IS', 'leave out'],
    ['COMMENT ON TABLE t IS', 'try'],
    ['DROP TABLE IF EXISTS t', 'try'],
    ['GRANT SELECT ON TABLE t TO alice', 'try'],
    ['SET transaction_timeout', 'try'],
    ['SET SESSION AUTHORIZATION alice', 'leave out'],
    ['SET LOCAL ROLE alice', 'leave out'],
    ['SET client_encoding', 'leave out'],
    ['BEGIN', 'leave out'],
    ['START TRANSACTION', 'leave out'],
    ['COMMIT AND CHAIN', 'leave out'],
    ['END', 'leave out'],
    ['ROLLBACK', 'refuse'],
    ['ABORT WORK', 'refuse'],
    ['ROLLBACK TO SAVEPOINT x', 'run'],
    ['ROLLBACK WORK TO SAVEPOINT x', 'run'],
    ['SAVEPOINT x', 'run'],
    ['PREPARE TRANSACTION', 'refuse'],
    ['COMMIT PREPARED', 'refuse'],
    ['PREPARE q AS SELECT', 'run'],
    ['SELECT pg_catalog setval', 'run'],
    ['INSERT INTO t VALUES', 'run'],
    ['COPY t FROM stdin', 'run'],
    ['VACUUM', 'leave out'],
  ])('%s: %s', (statement, expected) => {
    expect(does(statement)).toBe(expected);
  });
});

describe('a command to psql', () => {
  it.each(['restrict abc', 'unrestrict abc', 'set ON_ERROR_STOP on', 'echo hello', 'encoding UTF8', 'pset pager off'])(
    '\\%s is skipped',
    (command) => {
      expect(ruleForCommand(`\\${command}`)).toEqual({ does: 'skip' });
    },
  );

  it.each([
    '! id',
    '!id',
    'i /etc/passwd',
    'ir x',
    'o /tmp/x',
    'copy t from x',
    'g |cat',
    'w x',
    'gexec',
    'q',
    'setenv A b',
    '',
  ])('\\%s is refused', (command) => {
    expect(ruleForCommand(`\\${command}`).does).toBe('refuse');
  });

  it.each([
    [String.raw`\connect shop`, 'shop'],
    [String.raw`\c "My ""shop""" alice`, 'My ""shop""'],
    [String.raw`\connect -reuse-previous=on "dbname='shop'"`, 'shop'],
  ])('%s names a database', (command, databaseName) => {
    expect(ruleForCommand(command)).toEqual({ does: 'connect', databaseName });
  });
});
