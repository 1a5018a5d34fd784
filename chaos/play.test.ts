import { describe, expect, it } from 'vitest';
import type { Step } from './plan.ts';
import { play } from './play.ts';

const step = (name: Step['name'], number: number): Step => ({ number, atMs: 0, lane: name, name, roll: number });

function open({ isAway = false } = {}) {
  const told: string[] = [];
  return {
    told,
    stage: {
      events: { tell: (about: string, what: string) => void told.push(`${about}: ${what}`), about: () => [] },
      handle: { isAway: () => isAway },
    },
  };
}

describe('playing a plan', () => {
  it('counts what came to something', async () => {
    const { stage } = open();
    const { happenings, problems } = await play(stage, [step('scale', 1), step('scale', 2)], async () => true);
    expect(happenings.countOf('scale')).toBe(2);
    expect([problems, happenings.problems()]).toEqual([[], []]);
  });

  it('tries once more in the end what never came to anything', async () => {
    const { stage } = open();
    const asked: string[] = [];
    const { happenings } = await play(stage, [step('kill-worker', 1)], async ({ name, number, isBelated }) => {
      asked.push(`${number} ${name}${isBelated ? ', belated' : ''}`);
      return asked.length === 2;
    });
    expect(asked).toEqual(['1 kill-worker', '2 kill-worker, belated']);
    expect(happenings.problems()).toEqual([]);
  });

  it('makes first what something needs', async () => {
    const { stage } = open();
    const asked: string[] = [];
    await play(stage, [step('drop-database', 1)], async ({ name }) => {
      asked.push(name);
      return asked.includes('create-database');
    });
    expect(asked).toEqual(['drop-database', 'create-database', 'drop-database']);
  });

  it('does not pass where nothing ever happens, and ends', async () => {
    const { stage } = open({ isAway: true });
    const { happenings } = await play(stage, [step('kill-api', 1), step('scale', 2)], async () => false);
    expect(happenings.problems().map(({ about }) => about)).toEqual(['kill-api', 'scale', 'faults', 'changes']);
  });

  it('tells of a fault that is never over', async () => {
    const { stage } = open();
    const { problems } = await play(stage, [step('kill-api', 1)], () => Promise.reject(new Error('it stays away')));
    expect(problems).toMatchObject([{ about: 'kill-api', what: 'it stays away' }]);
  });
});
