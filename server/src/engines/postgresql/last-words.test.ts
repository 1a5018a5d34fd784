import { describe, expect, it } from 'vitest';
import { isOutOfSpace, lastWordsIn, readLastWords } from './last-words.ts';

const line = (text: string) => `2026-01-01 00:00:00.000 UTC [7] ${text}\n`;

describe('the last words of a server', () => {
  it('are what ended it, and what it said just before', () => {
    const log =
      line('LOG:  starting PostgreSQL 18.4') +
      line('LOG:  could not bind IPv4 address "0.0.0.0": Address already in use') +
      line('FATAL:  could not create any TCP/IP sockets') +
      line('LOG:  database system is shut down');
    expect(lastWordsIn(log)).toBe(
      'starting PostgreSQL 18.4 could not bind IPv4 address "0.0.0.0": Address already in use ' +
        'could not create any TCP/IP sockets',
    );
  });

  it('are of its last life', () => {
    const log =
      line('FATAL:  an old grief') + line('LOG:  ready') + line('PANIC:  could not write: No space left on device');
    expect(lastWordsIn(log)).toContain('No space left on device');
    expect(isOutOfSpace(lastWordsIn(log))).toBe(true);
  });

  it('are whatever it said where nothing was severe, or nothing', () => {
    expect(lastWordsIn('sh: postgres: not found\n')).toBe('sh: postgres: not found');
    expect(readLastWords('/nowhere/server.log')).toBe('');
  });
});
