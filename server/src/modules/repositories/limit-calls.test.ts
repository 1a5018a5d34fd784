import { describe, expect, it } from 'vitest';
import { limitCalls } from './limit-calls.ts';

describe('limitCalls', () => {
  it('runs so many at a time, and of one owner fewer, the others in order of asking', async () => {
    const run = limitCalls({ turns: 3, perOwner: 2, waitMs: 30_000 });
    const started: string[] = [];
    const gates = new Map(['a1', 'a2', 'a3', 'b1', 'b2'].map((name) => [name, Promise.withResolvers<void>()]));
    const calls = [...gates].map(([name, { promise }]) =>
      run(name[0]!, () => {
        started.push(name);
        return promise;
      }),
    );
    await Promise.resolve();
    expect(started).toEqual(['a1', 'a2', 'b1']);
    gates.get('a2')!.resolve();
    await calls[1];
    expect(started).toEqual(['a1', 'a2', 'b1', 'b2']);
    for (const { resolve } of gates.values()) resolve();
    await Promise.all(calls);
    expect(started).toEqual(['a1', 'a2', 'b1', 'b2', 'a3']);
  });

  it('503 SV002 for who waits too long, and its turn is not lost', async () => {
    const run = limitCalls({ turns: 1, perOwner: 1, waitMs: 1 });
    const gate = Promise.withResolvers<void>();
    const first = run('a', () => gate.promise);
    await expect(run('b', () => Promise.resolve())).rejects.toMatchObject({ code: 'SV002' });
    gate.resolve();
    await first;
    expect(await run('b', () => Promise.resolve('done'))).toBe('done');
  });

  it('one who has many slow ones under way keeps nobody else from looking', async () => {
    const run = limitCalls({ turns: 8, perOwner: 2, waitMs: 50 });
    const gate = Promise.withResolvers<void>();
    const slow = Promise.allSettled(Array.from({ length: 20 }, () => run('a', () => gate.promise)));
    expect(await run('b', () => Promise.resolve('seen'))).toBe('seen');
    await expect(run('a', () => Promise.resolve())).rejects.toMatchObject({ code: 'SV002' });
    gate.resolve();
    expect((await slow).filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });

  it('gives the turn back when the work fails', async () => {
    const run = limitCalls({ turns: 1, perOwner: 1, waitMs: 30_000 });
    await expect(run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await run('a', () => Promise.resolve('done'))).toBe('done');
  });
});
