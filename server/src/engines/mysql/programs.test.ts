import { describe, expect, it } from 'vitest';
import { isOlder, readSeries } from './programs.ts';

describe('the programs of MariaDB', () => {
  it.each([
    ['mariadbd  Ver 10.11.19-MariaDB-0+deb12u1 for debian-linux-gnu on x86_64 (Debian 12)', '10.11'],
    ['/usr/sbin/mysqld  Ver 11.8.2-MariaDB for Linux on aarch64 (MariaDB Server)', '11.8'],
    ['/usr/sbin/mysqld  Ver 8.0.36 for Linux on x86_64 (MySQL Community Server - GPL)', null],
    ['', null],
  ])('are told by what they say: %s', (output, series) => {
    expect(readSeries(output)).toBe(series);
  });

  it.each([
    ['10.5', '10.6', true],
    ['10.6', '10.6', false],
    ['10.11', '10.6', false],
    ['11.4', '10.6', false],
    ['5.5', '10.6', true],
  ])('%s is older than %s: %s', (series, than, expected) => {
    expect(isOlder(series, than)).toBe(expected);
  });
});
