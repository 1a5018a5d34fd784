import { describe, expect, it } from 'vitest';
import { limitCalls } from './limit-calls.ts';

describe('limitCalls', () => {
  it('runs so many at a time, the others in order of asking', async () => {
    const run = limitCalls({ count: 2, waitMs: 30_000 });
    const started: string[] = [];
    const gates = new Map(['a', 'b', 'c', 'd'].map((name) => [name, Promise.withResolvers<void>()]));
    const calls = [...gates].map(([name, { promise }]) =>
      run(() => {
        started.push(name);
        return promise;
      }),
    );
    await Promise.resolve();
    expect(started).toEqual(['a', 'b']);
    gates.get('b')!.resolve();
    await calls[1];
    expect(started).toEqual(['a', 'b', 'c']);
    for (const { resolve } of gates.values()) resolve();
    await Promise.all(calls);
    expect(started).toEqual(['a', 'b', 'c', 'd']);
  });

  it('503 SV002 for who waits too long, and its turn is not lost', async () => {
    const run = limitCalls({ count: 1, waitMs: 1 });
    const gate = Promise.withResolvers<void>();
    const first = run(() => gate.promise);
    await expect(run(() => Promise.resolve())).rejects.toMatchObject({ code: 'SV002' });
    gate.resolve();
    await first;
    expect(await run(() => Promise.resolve('done'))).toBe('done');
  });

  it('gives the turn back when the work fails', async () => {
    const run = limitCalls({ count: 1, waitMs: 1 });
    await expect(run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await run(() => Promise.resolve('done'))).toBe('done');
  });
});
