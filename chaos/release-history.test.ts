import { describe, expect, it } from 'vitest';
import { ReleaseHistory } from './release-history.ts';

function released(...names: string[]): ReleaseHistory {
  const history = new ReleaseHistory();
  for (const name of names) history.ask(name).acknowledged(`dep_${name}`);
  return history;
}

describe('what a visitor may be shown', () => {
  it('is anything that was asked for, as long as nothing is known to be live', () => {
    const history = released('one', 'two');
    expect([history.mayShow('one', 1), history.mayShow('two', 1), history.mayShow('three', 1)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('is nothing from before what was live when the request began', () => {
    const history = released('one', 'two', 'three');
    history.noteLive('dep_two', 10);
    expect(history.mayShow('one', 9)).toBe(true);
    expect(history.mayShow('one', 10)).toBe(false);
    expect([history.mayShow('two', 10), history.mayShow('three', 10)]).toEqual([true, true]);
  });

  it('is what somebody went back to', () => {
    const history = released('one', 'two');
    history.noteLive('dep_two', 10);
    history.ask('one', 'dep_one').acknowledged('dep_one');
    expect(history.mayShow('one', 11)).toBe(true);
    history.noteLive('dep_one', 20);
    expect([history.mayShow('two', 21), history.mayShow('two', 19)]).toEqual([false, true]);
  });

  it('is not what was refused', () => {
    const history = released('one');
    history.ask('two').refused();
    expect(history.mayShow('two', 1)).toBe(false);
  });

  it('is what nobody answered, at any time from then on', () => {
    const history = released('one');
    history.ask('two');
    history.ask('three').acknowledged('dep_three');
    history.noteLive('dep_three', 10);
    expect([history.mayShow('one', 11), history.mayShow('two', 11)]).toEqual([false, true]);
  });

  it('is not narrowed where it is not known by whose asking something is live', () => {
    const history = released('one', 'two');
    history.noteLive('dep_two', 10);
    history.ask('one', 'dep_one');
    history.ask('three').acknowledged('dep_three');
    history.ask('one', 'dep_one').acknowledged('dep_one');
    history.noteLive('dep_one', 20);
    expect(history.mayShow('three', 21)).toBe(true);
  });
});

it('a deployment is asked for again by those who go back to it, and are not refused', () => {
  const history = released('one', 'two');
  history.ask('two', 'dep_two').refused();
  history.ask('one', 'dep_one');
  expect([history.isAskedAgain('dep_one'), history.isAskedAgain('dep_two')]).toEqual([true, false]);
});

it('a deployment was asked for when it was asked for last', () => {
  const history = released('one');
  const first = history.askedAt('dep_one')!;
  while (performance.now() <= first);
  history.ask('one', 'dep_one').acknowledged('dep_one');
  expect(history.askedAt('dep_one')).toBeGreaterThan(first);
  expect(history.askedAt('dep_two')).toBeUndefined();
});
