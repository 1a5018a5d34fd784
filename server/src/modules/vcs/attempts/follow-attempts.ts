import { setTimeout as delay } from 'node:timers/promises';
import type { AttemptState, GitProvider } from '@lilac/contract/states';
import type { VcsAttemptRow } from '../../../db/schema.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import { ATTEMPT_SECONDS } from './attempt-cookie.ts';
import { eventIdOf, firstNews, NEWS_MS, readEventId } from './attempt-news.ts';
import { listChangedAttempts } from './attempt-store.ts';

export interface Following {
  organisationId: string;
  provider: GitProvider;
  lastEventId: string | null;
  signal: AbortSignal;
}

export type AttemptEvent<Linked> =
  | { id: string; event: 'status'; data: { status: AttemptState; message: string | null } }
  | { id: string; event: 'linked'; data: Linked }
  | { id: string; event?: undefined };

const LOOK_EVERY_MS = 500;

/** How the organisation's attempts go on, until one of them is linked. */
export async function* followAttempts<Linked>(
  { store, clock }: Pick<VcsDeps, 'store' | 'clock'>,
  { organisationId, provider, lastEventId, signal }: Following,
  presentLinked: (attempt: VcsAttemptRow) => Linked,
): AsyncGenerator<AttemptEvent<Linked>[]> {
  const look = (agoMs: number) => {
    const since = new Date(clock.now().getTime() - agoMs);
    return listChangedAttempts(store.db, { organisationId, provider, since });
  };
  const told = new Map<string, string>();
  const seen = readEventId(lastEventId);
  const atFirst = await look(ATTEMPT_SECONDS * 1000);
  for (const { id, progress } of atFirst) told.set(id, progress);
  let news = firstNews(atFirst, { seen, now: clock.now() });
  // Something comes at once, also where nothing has happened.
  if (news.length === 0) yield [{ id: seen && lastEventId ? lastEventId : 'none' }];
  while (!signal.aborted) {
    const end = news.findIndex(({ state }) => state === 'linked');
    const events = (end < 0 ? news : news.slice(0, end + 1)).map((attempt) => eventOf(attempt, presentLinked));
    if (events.length > 0) yield events;
    if (end >= 0) return;
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    // Those that were told stay in view for a while: clocks differ, and transactions take their time.
    news = (await look(NEWS_MS)).filter(({ id, progress }) => told.get(id) !== progress);
    for (const { id, progress } of news) told.set(id, progress);
  }
}

function eventOf<Linked>(
  attempt: VcsAttemptRow,
  presentLinked: (attempt: VcsAttemptRow) => Linked,
): AttemptEvent<Linked> {
  const id = eventIdOf(attempt);
  const { state: status, message } = attempt;
  if (status === 'linked') return { id, event: 'linked', data: presentLinked(attempt) };
  return { id, event: 'status', data: { status, message } };
}
