import { once } from 'node:events';
import { expect, it } from 'vitest';
import { until } from '../e2e/platform.ts';
import { start } from '../server/src/lib/exec.ts';
import { openProcessorMeter, usedByRole } from './processor-time.ts';

it('a meter tells the seconds of a minute since it was asked last, whoever was started anew meanwhile', () => {
  let [at, used] = [0, new Map([['1', 100]])];
  const meter = openProcessorMeter(
    () => used,
    () => at,
  );
  [at, used] = [30_000, new Map([['1', 102]])];
  expect(meter.take()).toBe(4);
  // One more, which began since.
  [at, used] = [90_000, new Map([...used, ['2', 3]])];
  expect(meter.take()).toBe(3);
  // The first has ended, and another was started in its place.
  [at, used] = [
    150_000,
    new Map([
      ['2', 4],
      ['3', 0.5],
    ]),
  ];
  expect(meter.take()).toBe(1.5);
  [at, used] = [210_000, new Map()];
  expect(meter.take()).toBe(0);
});

const BURNS = 'console.log("ready"); for (;;);';

it("the processor time of a role is that of the processes it has just now: it survives their end, and takes the next one's", async () => {
  let pids: number[] = [];
  const meter = openProcessorMeter(() => usedByRole({ pids: () => pids }, 'api'));
  for (let round = 0; round < 2; round++) {
    const child = start([process.execPath, '-e', BURNS], { env: {}, stdio: ['ignore', 'pipe', 'inherit'] });
    const gone = once(child, 'exit');
    await once(child.stdout!, 'data');
    pids = [child.pid!];
    await until('its time is counted', () => meter.take() > 0);
    child.kill('SIGKILL');
    await gone;
    expect(meter.take()).toBe(0);
  }
});
