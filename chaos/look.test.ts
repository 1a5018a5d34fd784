import { describe, expect, it } from 'vitest';
import { writeVariables } from './actions/settings.ts';
import { Ledger } from './ledger.ts';
import { lookAfter, lookBefore } from './look.ts';
import { Outages } from './outages.ts';
import type { Step } from './plan.ts';
import type { Scene } from './scene.ts';

const step = (number: number): Step => ({
  number,
  atMs: 0,
  lane: 'variables',
  name: 'write-variables',
  roll: 1,
});

function openScene(rest: object = {}) {
  return {
    ledger: new Ledger(),
    outages: new Outages(),
    events: { tell: () => {}, about: () => [] },
    losses: [],
    ...rest,
  } as unknown as Scene;
}

const reading = (read: () => Promise<string | null>) => ({ key: 'scale', about: 'server', read });
const finding = (found: string) => reading(async () => found);
const AT_ONCE = { pauseMs: 0 };

describe('a change that was acknowledged', () => {
  it('is well where it is found, or what nobody answered', async () => {
    const scene = openScene();
    scene.ledger.ask('scale', '1').acknowledged();
    await lookAfter(scene, step(1), finding('1'));
    scene.ledger.ask('scale', '2');
    await lookBefore(scene, step(2), finding('2'));
    expect(scene.losses).toEqual([]);
  });

  it('is lost where anything else is found, and it is told by which step', async () => {
    const scene = openScene();
    scene.ledger.ask('scale', '1').acknowledged();
    scene.ledger.ask('scale', '2').acknowledged();
    await lookAfter(scene, step(4), finding('1'));
    await lookBefore(scene, step(9), finding('1'));
    expect(scene.losses.map(({ what }) => what)).toEqual([
      'scale: after step 4 (write-variables) found "1", and what was promised is ["2"]',
      'scale: before step 9 (write-variables) found "1", and what was promised is ["2"]',
    ]);
  });

  it('is looked at again where nobody answers, until somebody does', async () => {
    const scene = openScene();
    scene.ledger.ask('scale', '2').acknowledged();
    const answers = [() => Promise.reject(new Error('socket hang up')), async () => '1'];
    await lookAfter(
      scene,
      step(1),
      reading(() => answers.shift()!()),
      AT_ONCE,
    );
    expect(scene.losses).toHaveLength(1);
    expect(scene.outages.count()).toBe(1);
  });

  it('that nobody can ever look at is told of', async () => {
    const scene = openScene();
    const never = reading(() => Promise.reject(new Error('socket hang up')));
    await lookAfter(scene, step(1), never, { ...AT_ONCE, patienceMs: 0 });
    expect(scene.losses.map(({ what }) => what)).toEqual([
      'scale: nobody could look at it after step 1 (write-variables)',
    ]);
  });
});

/** A platform that takes every write, and keeps some. */
function openPlatform(isKept: (count: number) => boolean) {
  let count = 0;
  let kept: object = {};
  return async (name: string, { body }: { body: { environmentVars: object } }) => {
    if (name === 'environments.get') return { environment_vars: kept };
    if (isKept(++count)) kept = body.environmentVars;
    return {};
  };
}

async function lossesOf(isKept: (count: number) => boolean) {
  const client = { call: openPlatform(isKept) };
  const scene = openScene({ deployer: { client }, server: { part: 'server' } });
  for (const number of [1, 2, 3, 4, 5]) await writeVariables(scene, step(number));
  return scene.losses;
}

it('of five acknowledged writes the four are missed that were lost, though the last one was kept', async () => {
  const losses = await lossesOf((count) => count === 5);
  const told = losses.map(({ what }) => /after step \d/.exec(what)?.[0]).filter(Boolean);
  expect(told).toEqual(['after step 1', 'after step 2', 'after step 3', 'after step 4']);
  expect(await lossesOf(() => true)).toEqual([]);
});
