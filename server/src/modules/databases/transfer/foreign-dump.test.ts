import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { DatabaseType } from '@lilac/contract/states';
import { describe, expect, it } from 'vitest';
import { LoadFailed } from '../../../engines/transfer.ts';
import { kindOfDump, refuseForeign } from './foreign-dump.ts';

const heads: [string, DatabaseType | null][] = [
  ['--\n-- PostgreSQL database dump\n--\n\n-- Dumped from database version 18.1\n', 'postgresql'],
  ['--\r\n-- PostgreSQL database cluster dump\r\n--\r\n', 'postgresql'],
  ['-- Lilac dump of a PostgreSQL database\n\n', 'postgresql'],
  ['-- MySQL dump 10.13  Distrib 8.4.2, for Linux (x86_64)\n--\n', 'mysql'],
  ['-- MariaDB dump 10.19  Distrib 10.11.6-MariaDB\n', 'mysql'],
  ['/*M!999999\\- enable the sandbox mode */ \n-- MariaDB dump 10.19-11.4.3\n', 'mysql'],
  ['\uFEFF-- phpMyAdmin SQL Dump\n-- version 5.2.1\n', 'mysql'],
  ['-- Lilac dump of a MySQL database\n\n', 'mysql'],
  ['-- my own notes on a MySQL dump \ncreate table t (n int);\n', null],
  ['create table t (n int);\n-- PostgreSQL database dump\n', null],
  ['', null],
];

describe('the beginning of a dump', () => {
  it.each(heads)('%j is of %s', (head, kind) => {
    expect(kindOfDump(head)).toBe(kind);
  });

  it.each([1, 1000])('refuses the other kind and leaves everything else as it is, in pieces of %s', async (size) => {
    const inPieces = (text: string) => {
      const bytes = Buffer.from(text);
      const count = Math.ceil(bytes.length / size);
      return Readable.from(Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size)));
    };
    for (const [head, kind] of heads) {
      for (const rest of ['', 'select 1;\n'.repeat(100)]) {
        const text = head + rest;
        const own = kind ?? 'mysql';
        expect((await buffer(refuseForeign(inPieces(text), own))).toString()).toBe(text);
        if (kind === null) continue;
        const other = kind === 'mysql' ? 'postgresql' : 'mysql';
        await expect(buffer(refuseForeign(inPieces(text), other))).rejects.toThrow(LoadFailed);
      }
    }
  });
});
