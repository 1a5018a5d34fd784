import { describe, expect, it } from 'vitest';
import { awaitJob } from './await-job.ts';
import { handleJob } from './job.ts';
import { createQueue, noteJob, quick } from './testing/queue.ts';

const patiently = { withinMs: 50_000, signal: new AbortController().signal };

async function failWhenBad({ text }: { text: string }): Promise<void> {
  if (text === 'bad') throw new Error('Bad');
}

describe('waiting for a job', () => {
  it('tells how it ended, also when it had ended before', async () => {
    await using queue = await createQueue();
    const [good, bad] = [await queue.add(), await queue.add({ payload: { text: 'bad' } })];
    const waiting = [awaitJob(queue.store.db, good, patiently), awaitJob(queue.store.db, bad, patiently)];
    await queue.work([handleJob(noteJob, failWhenBad, { backoff: quick })]);
    expect(await Promise.all(waiting)).toEqual(['done', 'failed']);
    expect(await awaitJob(queue.store.db, good, patiently)).toBe('done');
  });

  it('ends with the time, and with whoever waits', async () => {
    await using queue = await createQueue();
    const id = await queue.add();
    expect(await awaitJob(queue.store.db, id, { ...patiently, withinMs: 20 })).toBeNull();
    const leaving = new AbortController();
    const waiting = awaitJob(queue.store.db, id, { ...patiently, signal: leaving.signal });
    leaving.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });
});
