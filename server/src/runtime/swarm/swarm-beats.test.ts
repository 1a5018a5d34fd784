import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canRunDocker } from '../../testing/docker/can-run-docker.ts';
import { openSwarmSubject, type SwarmSubject } from './testing/swarm-subject.ts';

interface Swarm {
  Version: { Index: number };
  Spec: { Dispatcher: { HeartbeatPeriod: number } };
}

const WANTED = 2e9;

const withBeat = ({ Spec }: Swarm, HeartbeatPeriod: number): Swarm['Spec'] => ({
  ...Spec,
  Dispatcher: { ...Spec.Dispatcher, HeartbeatPeriod },
});

/** A machine that has not said for three beats that it is there is lost. */
describe.skipIf(!canRunDocker())('the beat of a swarm', () => {
  let subject: SwarmSubject;
  beforeAll(async () => {
    subject = await openSwarmSubject({ nodes: 1 });
  }, 300_000);
  afterAll(() => subject?.[Symbol.asyncDispose]());

  const look = async (): Promise<Swarm> => {
    const { Version, Spec } = (await subject.swarm.manager.swarmInspect()) as Swarm;
    return { Version, Spec };
  };
  const setBeat = async (period: number): Promise<Swarm> => {
    const found = await look();
    await subject.swarm.manager.swarmUpdate({ version: found.Version.Index, ...withBeat(found, period) });
    return look();
  };
  const openAndClose = async () => {
    const runtime = subject.create();
    await runtime.open();
    await runtime.close();
  };

  it('is too slow as Docker has it: it is set when the runtime opens, once, and all else stays as it was', async () => {
    const made = await look();
    expect(made.Spec.Dispatcher.HeartbeatPeriod).toBeGreaterThan(WANTED);
    await openAndClose();
    const hurried = await look();
    expect(hurried.Spec).toEqual(withBeat(made, WANTED));
    await openAndClose();
    expect(await look()).toEqual(hurried);
  });

  it('that somebody has made faster stays so', async () => {
    const own = await setBeat(WANTED / 2);
    expect(own.Spec.Dispatcher.HeartbeatPeriod).toBe(WANTED / 2);
    await openAndClose();
    expect(await look()).toEqual(own);
  });

  it('that somebody has made slower is set again', async () => {
    const own = await setBeat(10 * WANTED);
    expect(own.Spec.Dispatcher.HeartbeatPeriod).toBe(10 * WANTED);
    await openAndClose();
    expect((await look()).Spec).toEqual(withBeat(own, WANTED));
  });
});
