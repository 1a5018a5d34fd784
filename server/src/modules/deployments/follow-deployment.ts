import { setTimeout as delay } from 'node:timers/promises';
import type { deployments } from '@lilac/contract/deployments';
import type { ChangeListener } from '../../db/change-listener.ts';
import type { Db } from '../../db/pool.ts';
import type { DeploymentRow } from '../../db/schema.ts';
import type { StreamItemOf } from '../../http/handler.ts';
import { createWakeSignal } from '../../jobs/wake-signal.ts';
import { isMoving } from './deployment.ts';
import { placeId, placeOf, type Place } from './follow-place.ts';
import { countLines, findFollowed, readLinesFrom, type FollowedDeployment, type LinesRead } from './follow-store.ts';
import { presentStatus } from './present.ts';

type StreamItem = StreamItemOf<(typeof deployments)['deployments.stream']>;

export interface Follow {
  deployment: DeploymentRow;
  /** The line to begin with; negative: so many from the end. */
  from: number;
  lastEventId: string | null;
  signal: AbortSignal;
}

/** Should the word of a change be lost on its way. */
const LOOK_EVERY_MS = 2000;
/** However fast a build writes, nobody is told more often. */
const REST_MS = 50;

/** Every line and every stage as they come; when it has ended, the rest of the lines and how it ended. */
export async function* followDeployment(
  { db, changes }: { db: Db; changes: ChangeListener },
  { deployment, from, lastEventId, signal }: Follow,
): AsyncGenerator<StreamItem[]> {
  const { id } = deployment;
  const news = createWakeSignal();
  using _following = isMoving(deployment) ? changes.follow(id, () => news.wake()) : null;
  const wake = () => news.wake();
  signal.addEventListener('abort', wake);
  try {
    let place = placeOf({ from, lastEventId, lineCount: await countLines(db, id) });
    // Something comes at once, also for who has seen everything already.
    yield [{ id: placeId(place) }];
    while (!signal.aborted) {
      // In this order: what had ended before has no lines after.
      const row = await findFollowed(db, id);
      if (!row) return;
      const read = await readLinesFrom(db, id, place.line);
      const told = tell(row, read, place);
      if (told.items.length > 0) yield told.items;
      if (told.isOver) return;
      place = told.place;
      if (read.isMore) continue;
      await delay(REST_MS, undefined, { signal }).catch(() => {});
      await news.wait(LOOK_EVERY_MS);
    }
  } finally {
    signal.removeEventListener('abort', wake);
  }
}

interface Told {
  items: StreamItem[];
  place: Place;
  isOver: boolean;
}

/** That it has ended is told after the last line. */
function tell(row: FollowedDeployment, read: LinesRead, before: Place): Told {
  const items: StreamItem[] = [];
  let place = before;
  const tellStatus = () => {
    const state = `${row.status}-${row.stage}`;
    if (state === place.state) return;
    place = { ...place, state };
    items.push({ id: placeId(place), event: 'status', data: presentStatus(row) });
  };
  if (isMoving(row)) tellStatus();
  for (const [index, text] of read.lines.entries()) {
    const line = read.firstLine + index;
    place = { ...place, line: line + 1 };
    items.push({ id: placeId(place), event: 'log', data: { line, text } });
  }
  const isOver = !isMoving(row) && !read.isMore;
  if (isOver) {
    tellStatus();
    items.push({ id: placeId(place), event: 'done', data: { status: row.status, error: row.error } });
  }
  return { items, place, isOver };
}
