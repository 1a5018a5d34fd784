import { describe, expect, it } from 'vitest';
import { claimUntilGone } from './claim-until-gone.ts';
import { ControlRefused } from './control-client.ts';
import type { Claim } from './init/agreement.ts';

const claim = {} as Claim;
const isThere = async () => true;

/** As a machine that is lost: nothing is ever said, unless the caller gives up. */
const silence = (_: Claim, signal?: AbortSignal) =>
  new Promise<void>((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));

describe('the claim of a task', () => {
  it('ends when the swarm has the task no more, though nobody says a word', async () => {
    const gone = { control: { claim: silence }, isThere: async () => false };
    expect(await claimUntilGone(claim, gone)).toBe(false);
  });

  it('is made again where the line broke, and not where it was refused', async () => {
    let tries = 0;
    const breaksOnce = async () => {
      if (++tries === 1) throw new Error('socket hang up');
    };
    expect(await claimUntilGone(claim, { control: { claim: breaksOnce }, isThere })).toBe(true);
    expect(tries).toBe(2);
    const refuses = async () => {
      tries++;
      throw new ControlRefused(422, 'not what was built');
    };
    await expect(claimUntilGone(claim, { control: { claim: refuses }, isThere })).rejects.toThrow('not what was built');
    expect(tries).toBe(3);
  });
});
