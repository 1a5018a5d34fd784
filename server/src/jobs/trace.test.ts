import { describe, expect, it } from 'vitest';
import { currentTrace, traced, traceOfRequest } from '../lib/trace.ts';
import { eventually } from '../testing/eventually.ts';
import { defineJob, handleJob, type JobFailure } from './job.ts';
import { enqueue } from './queue-store.ts';
import { periodicJob, type NoPayload } from './schedule.ts';
import { createQueue, noteJob, quick, type Note } from './testing/queue.ts';

describe('the request that led to a job', () => {
  it('is known while the job runs, and in every job that follows from it', async () => {
    await using queue = await createQueue();
    const followUp = defineJob<Note>('test.follow-up');
    const seen: unknown[] = [];
    const see = () => void seen.push({ ...currentTrace() });
    await queue.work([
      handleJob(noteJob, async (payload) => {
        see();
        await queue.store.db.transaction().execute((tx) => enqueue(tx, { kind: followUp, payload }));
      }),
      handleJob(followUp, async () => see()),
    ]);
    const id = await traced(traceOfRequest('req_1'), () => queue.add());
    await eventually('both ran', async () => seen.length === 2);
    expect(seen).toEqual([
      { requestId: 'req_1', jobId: id, isOver: false },
      { requestId: 'req_1', jobId: expect.not.stringMatching(`^${id}$`) as string, isOver: false },
    ]);
  });

  it('is not that of a request which is over, and none where nobody asked', async () => {
    await using queue = await createQueue();
    const seen: unknown[] = [];
    const trace = traceOfRequest('req_1');
    trace.isOver = true;
    await traced(trace, () => queue.add());
    await queue.work([handleJob(noteJob, async () => void seen.push(currentTrace()?.requestId))]);
    await eventually('it ran', async () => seen.length > 0);
    expect(seen).toEqual([null]);
  });

  it('is the first one, where several ask for a job that waits already', async () => {
    await using queue = await createQueue();
    const add = () => queue.add({ key: 'one' });
    await add();
    await traced(traceOfRequest('req_1'), add);
    await traced(traceOfRequest('req_2'), add);
    const seen: unknown[] = [];
    await queue.work([handleJob(noteJob, async () => void seen.push(currentTrace()?.requestId))]);
    await eventually('it ran', async () => seen.length > 0);
    expect(seen).toEqual(['req_1']);
  });

  it('does not go on for ever in a chain of periodic jobs', async () => {
    await using queue = await createQueue();
    const again = defineJob<NoPayload>('test.again');
    const seen: unknown[] = [];
    await traced(traceOfRequest('req_1'), () =>
      queue.store.db.transaction().execute((tx) => enqueue(tx, { kind: again, payload: {}, key: 'next' })),
    );
    await queue.work([periodicJob(again, 5, async () => void seen.push(currentTrace()?.requestId))]);
    await eventually('it ran again', async () => seen.length > 1);
    expect(seen.slice(0, 2)).toEqual(['req_1', null]);
  });
});

describe('whoever watches jobs', () => {
  it('is told of each failure that nobody expected, by whom it was asked for, and of each end', async () => {
    await using queue = await createQueue();
    const failures: JobFailure[] = [];
    const ends: string[] = [];
    const observer = {
      failed: (failure: JobFailure) => void failures.push(failure),
      ended: (kind: string, state: string) => void ends.push(`${kind} ${state}`),
    };
    await queue.work(
      [
        handleJob(
          noteJob,
          async (_, { attempt }) => {
            if (attempt < 2) throw new Error('no luck');
          },
          { backoff: quick },
        ),
      ],
      { observer },
    );
    await traced(traceOfRequest('req_1'), () => queue.add());
    await eventually('it ended', async () => ends.length > 0);
    expect(ends).toEqual(['test.note done']);
    expect(failures).toMatchObject([
      {
        errorId: expect.stringMatching(/^err_/) as string,
        job: { request_id: 'req_1', attempt: 1 },
        error: { message: 'no luck' },
      },
    ]);
  });

  it('is told of an end that could not be written because its hook failed', async () => {
    await using queue = await createQueue();
    const failures: unknown[] = [];
    const observer = { failed: ({ error }: JobFailure) => void failures.push(error), ended: () => {} };
    const onEnd = async () => {
      if (failures.length === 0) throw new Error('hook');
    };
    await queue.work([handleJob(noteJob, async () => {}, { backoff: quick, onEnd })], { observer });
    const id = await queue.add();
    await queue.waitFor(id, 'done');
    expect(failures).toEqual([new Error('hook')]);
  });
});
