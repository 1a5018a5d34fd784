import { setTimeout as delay } from 'node:timers/promises';
import type { Application, Deployer } from '../../e2e/deploying.ts';
import { visitAfresh, type Visit } from '../wake/visit-afresh.ts';

const PAUSE_MS = 2;

/**
 * From the call to the moment after which every new connection to the public port gets the goal's page,
 * whichever of the edge processes takes it. No answer in between may be anything but a release.
 */
export async function measureRollback(
  deployer: Deployer,
  application: Application,
  goal: { id: string; page: string },
): Promise<{ servedMs: number; answeredMs: number }> {
  const startedAt = performance.now();
  const visits: Visit[] = [];
  const over = new AbortController();
  const visiting = (async () => {
    while (!over.signal.aborted) {
      visits.push(await visitAfresh(application.url));
      // The visits should not keep the platform's processes from the processor.
      await delay(PAUSE_MS);
    }
  })();
  await deployer.rollBack(application, goal.id);
  const answeredMs = performance.now() - startedAt;
  await deployer.healthy(goal.id);
  over.abort();
  await visiting;
  return { answeredMs, servedMs: sinceWhen(visits, goal.page) - startedAt };
}

/** When the first answer came after which there was no other than the wanted one. */
function sinceWhen(visits: readonly Visit[], page: string): number {
  const stranger = visits.find(({ body }) => !/^release [01]$/.test(body));
  if (stranger) throw new Error(`A visitor was answered: ${stranger.body.slice(0, 200)}`);
  const lastOther = visits.findLastIndex(({ body }) => body !== page);
  const first = visits[lastOther + 1];
  if (!first) throw new Error('The deployment was healthy, and another one was served.');
  return first.endedAt;
}
