import { expect } from 'vitest';
import { describeTally, startLoad, type Tally } from '../load.ts';
import { until } from '../platform.ts';
import type { Scene } from './scene.ts';

export const CONNECTIONS = 10;

/** Waits until each visitor was answered a few times more. */
type GoesOn = () => Promise<void>;

/** Visitors come all the while and none is turned away, whichever release answers them. */
export async function withLoad(
  scene: Scene,
  what: string,
  work: (tally: Tally, goesOn: GoesOn) => Promise<void>,
): Promise<void> {
  const load = startLoad({
    url: scene.server.url,
    connections: CONNECTIONS,
    // A steady load, not as much as the machine can bear: builds and boots want the same cores.
    pauseMs: 50,
    isRight: ({ status, body }) => status === 200 && ['one', 'two', 'three'].includes(body),
  });
  const goesOn = async () => {
    const before = load.tally.requests;
    await until('visitors are answered', () => load.tally.requests > before + 5 * CONNECTIONS);
  };
  try {
    await goesOn();
    await work(load.tally, goesOn);
    await goesOn();
  } finally {
    await load.stop();
  }
  console.log(`${what}: ${describeTally(load.tally)}`);
  expect(load.tally.failures).toEqual([]);
}
