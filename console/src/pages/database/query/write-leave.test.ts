import { ApiError } from '@lilac/contract/client';
import { describe, expect, it } from 'vitest';
import { isLeaveKeptAfterEdit, isLeaveKeptAfterRun } from './write-leave.ts';

const answered = (status: number) =>
  new ApiError({ status, code: 'DB001', message: 'No.', errorId: null, retryAfterSeconds: null });

describe('leave to change data', () => {
  it('ends with a run that changed something, or of which nobody knows', () => {
    expect([null, new TypeError('no answer'), answered(500), answered(503)].map(isLeaveKeptAfterRun)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('stays for a statement that was refused, to be mended', () => {
    expect(isLeaveKeptAfterRun(answered(400))).toBe(true);
  });

  it.each<[what: string, before: string, after: string]>([
    ['is written after it was given', '', 'd'],
    ['is written on', 'delete from item', 'delete from item where id = 3'],
    ['is mended at its start', 'dlete from item where id = 3', 'delete from item where id = 3'],
    ['is mended in the middle', 'update item set name = 1 where id = 3', 'update item set note = 1 where id = 3'],
    ['is cut by a little', 'delete from item where id = 3', 'delete from item'],
    ['gets a line more', 'delete from item', 'delete from item\n'],
  ])('stays while the statement %s', (_what, before, after) => {
    expect(isLeaveKeptAfterEdit(before, after)).toBe(true);
  });

  it.each<[what: string, before: string, after: string]>([
    ['is taken away', 'delete from item', ''],
    ['is begun anew', 'delete from item', 'd'],
    ['makes room for another', 'update item set name = 1', 'drop table customers'],
  ])('ends where the statement %s', (_what, before, after) => {
    expect(isLeaveKeptAfterEdit(before, after)).toBe(false);
  });
});
