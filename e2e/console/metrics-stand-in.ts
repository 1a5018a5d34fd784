import type { Page } from 'playwright-core';
import type { OutputOf } from '../../contract/src/endpoint.ts';
import type { Endpoints } from '../../contract/src/endpoints.ts';

type Detailed = OutputOf<Endpoints['metrics.detailed']>;

const STEP_SECONDS = 900;
const STEPS = 96;
const NIGHT_STEPS = 26;
const PATH = '**/api/environments/metrics/detailed';

/** Answers in the platform's place with a day that began asleep. Resolves to how to undo it. */
export async function standInForMetrics(page: Page, day = aDay()): Promise<() => Promise<void>> {
  await page.route(PATH, (route) => route.fulfill({ json: day }));
  return () => page.unroute(PATH);
}

export function aDay(): Detailed {
  const endMs = Math.floor(Date.now() / (STEP_SECONDS * 1000)) * STEP_SECONDS * 1000;
  const startMs = endMs - STEPS * STEP_SECONDS * 1000;
  const at = (step: number) => new Date(startMs + step * STEP_SECONDS * 1000).toISOString();
  const of = (value: (load: number) => number) =>
    Array.from({ length: STEPS }, (_, step) => ({ t: at(step), v: value(loadAt(step)) }));
  const awake = (value: (load: number) => number) => of(value).slice(NIGHT_STEPS);
  return {
    environmentId: 'env_shop',
    deploymentType: 'container',
    timeRange: { startTime: at(0), endTime: at(STEPS), stepSeconds: STEP_SECONDS },
    metrics: {
      requestCount: of((x) => Math.round(x * 4200)),
      latency: awake((x) => 60 + x * 80),
      bandwidthOut: of((x) => Math.round(x * 48_000_000)),
      bandwidthIn: of((x) => Math.round(x * 6_000_000)),
      instanceCount: of((x) => Math.ceil(x * 3)),
      cpu: awake((x) => Math.round(8 + x * 52)),
      memory: awake((x) => 90_000_000 + x * 300_000_000),
    },
    latencyPercentiles: { p50: awake((x) => 18 + x * 12), p99: awake((x) => 120 + x * 260) },
  };
}

/** From 0 in the night to 1 at noon, with a few spikes. */
function loadAt(step: number): number {
  const spike = step % 11 === 0 ? 1.25 : 1;
  return step < NIGHT_STEPS ? 0 : Math.sin(((step - NIGHT_STEPS) / (STEPS - NIGHT_STEPS)) * Math.PI) * spike;
}
