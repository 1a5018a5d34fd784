import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../server/src/lib/exec.ts';
import { BROWSER } from '../edge-static/browser.ts';
import { PATH } from '../edge-static/programs.ts';
import { LOAD_CORE } from '../edge-static/cores.ts';

/** How long a visitor waits between an answer and the next request: evenly spread around this. */
const PAUSE_MS = 5;
/** Long enough that the moment in which all visitors come at once is less than the hundredth that is told. */
const TURN_SECONDS = 6;

/**
 * As many visitors as ask so often together, each after a pause of its own, whoever else waits: nothing comes in
 * step. Answers the 99th percentile of how long they waited, in milliseconds. What was not asked meanwhile because an
 * answer was late is counted in by wrk itself, and asking costs it so little that the core it shares with the
 * application is idle half of the time.
 */
export async function waitAtPace(order: {
  port: number;
  path: string;
  host: string;
  ratePerSecond: number;
  folder: string;
}): Promise<{ p99: number; ratePerSecond: number }> {
  const script = join(order.folder, 'pauses.lua');
  writeFileSync(
    script,
    `function init() math.randomseed(os.time()) end\nfunction delay() return math.random(0, ${2 * PAUSE_MS}) end\n`,
  );
  const visitors = Math.round((order.ratePerSecond * PAUSE_MS) / 1000);
  const { stdout } = await run(
    [
      ...(['taskset', '-c', LOAD_CORE, 'wrk', '-t1', `-c${visitors}`, `-d${TURN_SECONDS}s`] as const),
      '--latency',
      '-s',
      script,
      ...[`Host: ${order.host}`, ...BROWSER].flatMap((header) => ['-H', header]),
      `http://127.0.0.1:${order.port}${order.path}`,
    ],
    { env: { PATH } },
  );
  const [, value = '', unit = ''] = /^ +99% +([\d.]+)(us|ms|s)$/m.exec(stdout) ?? [];
  if (!value || /Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout);
  return {
    p99: Number(value) * MILLISECONDS[unit]!,
    ratePerSecond: Number(/Requests\/sec: +([\d.]+)/.exec(stdout)![1]),
  };
}

const MILLISECONDS: Record<string, number> = { us: 0.001, ms: 1, s: 1000 };
