import { expect, it } from 'vitest';
import { dumpTypeOf } from './dump-type.ts';

it.each([
  ['shop.sql', 'application/sql'],
  ['SHOP.SQL.GZ', 'application/gzip'],
  ['shop.zip', null],
  ['sql', null],
])('%s is sent as %s', (name, type) => expect(dumpTypeOf(name)).toBe(type));
