import { describe, expect, it } from 'vitest';
import { Happenings } from './happenings.ts';

const steps = [{ name: 'kill-api' }, { name: 'kill-api' }, { name: 'scale' }] as const;

describe('what happened of a plan', () => {
  it('is a problem where a kind of fault never struck, or a kind of change was never acknowledged', () => {
    const happenings = new Happenings(steps);
    happenings.note('scale');
    expect(happenings.missing()).toEqual(['kill-api']);
    expect(happenings.problems().map(({ about, what }) => `${about}: ${what}`)).toEqual([
      'kill-api: planned 2 times, and it never struck',
      'faults: 0 of 2 came to anything',
    ]);
  });

  it('is none where each kind came to something', () => {
    const happenings = new Happenings(steps);
    happenings.note('scale');
    happenings.note('kill-api');
    expect(happenings.problems()).toEqual([]);
  });

  it('is a problem where hardly anything came through, though each kind did once', () => {
    const happenings = new Happenings(Array.from({ length: 5 }, () => ({ name: 'scale' }) as const));
    happenings.note('scale');
    expect(happenings.problems()).toMatchObject([{ about: 'changes', what: '1 of 5 came to anything' }]);
  });

  it('is told by kind', () => {
    const happenings = new Happenings(steps);
    happenings.note('kill-api');
    expect(happenings.describe()).toEqual([
      'Faults that struck (and how many were planned): kill-api 1 (2)',
      'Changes acknowledged (and how many were planned): scale 0 (1)',
    ]);
  });
});
