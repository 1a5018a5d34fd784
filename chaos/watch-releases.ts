import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import type { DeploymentStatus } from '../contract/src/states.ts';
import { serversOf } from '../e2e/database-servers.ts';
import { readRecord } from '../server/src/engines/host/place-record.ts';
import type { Part, Span } from './outages.ts';
import type { Scene, Subject } from './scene.ts';

/** A deployment that failed, and from when to when it was on its way. */
export interface FailedDeployment extends Span {
  id: string;
  part: Part;
  error: string;
}

/** What is seen now and may be gone in the end. */
export interface ReleaseWatch {
  failed(): readonly FailedDeployment[];
  /** How each deployment was when it was seen last, by its id: of an environment, all that were ever listed. */
  seenIn(environmentId: string): ReadonlyMap<string, DeploymentStatus>;
  /** Users that databases had. */
  databaseUsers(): ReadonlySet<number>;
  /** Once more, now: nothing of before it is missed then. Rejects where nobody answers. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

type Watched = Pick<Scene, 'handle' | 'deployer' | 'events'>;

const EVERY_MS = 1000;
const NEWEST = 20;

/**
 * Asks all the time which release is live, and which have failed: rows of deployments and databases are not kept for
 * ever.
 */
export function watchReleases(scene: Watched, subjects: readonly Subject[]): ReleaseWatch {
  const failed = new Map<string, FailedDeployment>();
  const users = new Set<number>();
  const seen = new Map(subjects.map(({ environmentId }) => [environmentId, new Map<string, DeploymentStatus>()]));
  const stopping = new AbortController();

  async function lookAt(subject: Subject): Promise<void> {
    const { client, targetOrganisationId } = scene.deployer;
    const { environmentId, history, part } = subject;
    const body = { targetOrganisationId, environmentId, limit: NEWEST };
    const newest = await client.call('deployments.list', { body });
    for (const { id, is_live, status, error, started_at, completed_at } of newest) {
      seen.get(environmentId)!.set(id, status);
      if (is_live) history.noteLive(id);
      const key = `${id} ${completed_at}`;
      if (status !== 'failed' || failed.has(key)) continue;
      scene.events.tell(part, `deployment ${id} failed: ${error}`);
      const startedAt = history.askedAt(id) ?? sinceStart(started_at);
      failed.set(key, { id, part, error: error ?? '', startedAt, endedAt: sinceStart(completed_at ?? started_at) });
    }
  }

  async function lookAtAll(): Promise<void> {
    for (const uid of usersIn(scene.handle.home)) users.add(uid);
    for (const subject of subjects) await lookAt(subject);
  }

  let last: Promise<void> = Promise.resolve();
  /** One after another: an answer that comes late must not be taken for what came after it. */
  const look = () => (last = last.catch(() => {}).then(lookAtAll));

  const watching = (async () => {
    while (!stopping.signal.aborted) {
      // Whoever is away is asked again: what a fault may disturb is for others to say.
      await look().catch(() => {});
      await delay(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();
  return {
    failed: () => [...failed.values()],
    seenIn: (environmentId) => seen.get(environmentId) ?? new Map(),
    databaseUsers: () => users,
    look,
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}

/** As `performance.now()` would have had it. */
const sinceStart = (time: string): number => Date.parse(time) - performance.timeOrigin;

function usersIn(home: string): number[] {
  return serversOf(home).flatMap((serverId) => {
    try {
      return readRecord(join(home, 'databases'), serverId)?.uid ?? [];
    } catch {
      // It is just being made or removed.
      return [];
    }
  });
}
