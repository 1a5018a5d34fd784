import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeploymentStage } from '@lilac/contract/states';
import type { DeploymentRow } from '../../db/schema.ts';
import { cancelDeployment } from './cancel-deployment.ts';
import { updateDeployment, type DeploymentChange } from './deployment-store.ts';
import { createDeploymentsBench, type DeploymentsBench } from './testing/deployments-bench.ts';
import { startStandInEdge } from './testing/stand-in-edge.ts';

let bench: DeploymentsBench;
beforeAll(async () => {
  bench = await createDeploymentsBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

const change = (id: string, given: DeploymentChange) =>
  bench.store.db.transaction().execute((tx) => updateDeployment(tx, id, given));
const enter = (id: string, stage: DeploymentStage) => change(id, { status: 'building', stage });
const namesOf = ({ stages }: DeploymentRow) => stages.map(({ stage }) => stage);
const timesOf = ({ stages }: DeploymentRow) => stages.map(({ started_at }) => new Date(started_at).getTime());

describe('the stages of a deployment', () => {
  it('are those it went through, each with the time it was entered; a rollback has its own beside those', async () => {
    await using _edge = startStandInEdge(bench.store);
    const subject = await bench.settle();
    const worker = await bench.work();
    const { id } = await bench.deploy(subject);
    const built = await bench.read(id);
    expect(namesOf(built)).toEqual(['queued', 'fetching', 'detecting', 'building', 'packaging', 'routing', 'released']);
    const times = timesOf(built);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(Math.abs(times[0]! - built.created_at.getTime())).toBeLessThan(1000);
    await bench.deploy(subject);
    const { stages } = await bench.rollBack(subject, id);
    expect(stages.map(({ stage }) => stage)).toEqual(['routing']);
    const again = await bench.waitFor(id, 'healthy');
    await worker.stop();
    expect(namesOf(again)).toEqual(['routing', 'released']);
    expect(again.stages[0]).toEqual(stages[0]);
    expect(timesOf(again)[0]).toBeGreaterThan(times.at(-1)!);
    expect(built.first_run).toBeNull();
    expect(again.first_run?.stages).toEqual(built.stages);
    expect(new Date(again.first_run!.completed_at!).getTime()).toBe(built.completed_at!.getTime());
  });

  it('of a rollback that came to nothing end where it stopped, of files and of servers, and its log says why', async () => {
    await using _edge = startStandInEdge(bench.store);
    const subject = await bench.settle();
    const worker = await bench.work();
    const [files, server, newest] = [
      await bench.deploy(subject),
      await bench.deploy(subject),
      await bench.deploy(subject),
    ];
    await worker.stop();
    await bench.store.pool.query(`update deployments set run = '{}' where id = $1`, [server.id]);
    const expectStopped = async (id: string, { stage, line }: { stage: DeploymentStage; line: string }) => {
      const stopped = await bench.waitFor(id, 'healthy');
      expect(stopped).toMatchObject({ stage: 'released', error: null });
      expect(namesOf(stopped)).toEqual([stage]);
      expect((await bench.logOf(id)).at(-1)).toBe(`==> ${line}`);
    };
    for (const [{ id }, stage] of [
      [files, 'routing'],
      [server, 'starting'],
    ] as const) {
      await cancelDeployment(bench.store.db, await bench.rollBack(subject, id), bench.caller);
      await expectStopped(id, { stage, line: 'Stopped: Cancelled by ada@example.org.' });
    }
    for (const { id } of [files, newest]) await bench.rollBack(subject, id);
    const next = await bench.work();
    const line = 'Another deployment was asked for: this one is not served again.';
    await expectStopped(files.id, { stage: 'routing', line });
    expect(namesOf(await bench.waitFor(newest.id, 'healthy'))).toEqual(['routing', 'released']);
    await next.stop();
  });

  it('that an interrupted build goes through again have their later times', async () => {
    const { id } = await bench.start(await bench.settle());
    for (const stage of ['fetching', 'detecting', 'installing'] as const) await enter(id, stage);
    const before = await bench.read(id);
    await enter(id, 'fetching');
    const after = await enter(id, 'detecting');
    expect(namesOf(after)).toEqual(['queued', 'fetching', 'detecting']);
    expect(after.stages[0]).toEqual(before.stages[0]);
    expect(timesOf(after)[1]).toBeGreaterThanOrEqual(timesOf(before)[3]!);
  });

  it('stay as they are when the stage is set again, and when something else changes', async () => {
    const { id } = await bench.start(await bench.settle());
    const { stages } = await enter(id, 'fetching');
    expect((await enter(id, 'fetching')).stages).toEqual(stages);
    expect((await change(id, { commit_message: 'A change' })).stages).toEqual(stages);
  });
});
