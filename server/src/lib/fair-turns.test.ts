import { describe, expect, it } from 'vitest';
import { createFairTurns, type FairTurns } from './fair-turns.ts';

/** Work that goes on until it is told to end. */
function createWork(turns: FairTurns) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (owner: string, name: string, signal?: AbortSignal) =>
    turns.run(
      owner,
      () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      },
      signal,
    );
  const end = async (name: string) => {
    ends.get(name)!();
    await settled();
  };
  return { begun, ask, end };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('fair turns', () => {
  it('go from owner to owner, however many of one wait', async () => {
    const { begun, ask, end } = createWork(createFairTurns({ turns: 1, perOwner: 1 }));
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void ask(name[0]!, name);
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) {
      await settled();
      expect(begun.at(-1)).toBe(name);
      await end(name);
    }
    expect(begun).toHaveLength(6);
  });

  it('keep some for others when one owner asks for all of them', async () => {
    const turns = createFairTurns({ turns: 3, perOwner: 2 });
    const { begun, ask, end } = createWork(turns);
    for (const name of ['a1', 'a2', 'a3', 'a4']) void ask('a', name);
    await settled();
    expect(begun).toEqual(['a1', 'a2']);
    void ask('b', 'b1');
    await settled();
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    expect(turns.waiting).toBe(2);
    await end('b1');
    expect(begun).toHaveLength(3);
    await end('a2');
    expect(begun.at(-1)).toBe('a3');
  });

  it('are not waited for by who gives up', async () => {
    const turns = createFairTurns({ turns: 1, perOwner: 1 });
    const { begun, ask, end } = createWork(turns);
    void ask('a', 'a1');
    const gone = new AbortController();
    const waits = [ask('a', 'a2', gone.signal), ask('b', 'b1', gone.signal)].map((wait) =>
      expect(wait).rejects.toThrow('gone'),
    );
    void ask('c', 'c1');
    await settled();
    expect(turns.waiting).toBe(3);
    gone.abort(new Error('gone'));
    await Promise.all(waits);
    expect(turns.waiting).toBe(1);
    await expect(ask('d', 'd1', gone.signal)).rejects.toThrow('gone');
    await end('a1');
    expect(begun).toEqual(['a1', 'c1']);
    await end('c1');
    void ask('a', 'a3');
    await settled();
    expect(begun.at(-1)).toBe('a3');
  });

  it('are given back when the work fails', async () => {
    const turns = createFairTurns({ turns: 1, perOwner: 1 });
    await expect(turns.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await turns.run('a', () => Promise.resolve('next'))).toBe('next');
  });
});
