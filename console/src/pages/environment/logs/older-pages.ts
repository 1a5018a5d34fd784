import type { LogBuffer, LogLine } from '../../../parts/log-view/buffer.ts';
import type { LogFeed } from './log-feed.ts';
import { withoutHeld } from './log-request.ts';

/** A page may be empty when a lot had to be looked through; so many are taken at one go. */
const MAX_PAGES = 10;
/** Followed lines come in the order of storing: a neighbour may be that much later. */
const MARGIN_MS = 1000;
/**
 * What was followed first came in that order too, and the earliest of it may have been stored long after it was
 * written: of what lies between that and the others nobody can tell whether it is held. So those are looked through as
 * well.
 */
const MIXED_LINES = 500;

interface Page {
  lines: LogLine[];
  /** Null: there are no more. */
  cursor: string | null;
}

interface OlderPagesOptions {
  log: LogBuffer;
  feed: Pick<LogFeed, 'leaveOut' | 'flush' | 'waitingLines'>;
  /** The page after a cursor; without one, the newest, or those up to a time. */
  read: (from: { cursor?: string; endTime?: string }) => Promise<Page>;
}

/** What came of asking: there may be more, there is no more, or there is no room for it. */
export type Outcome = 'more' | 'over' | 'full';

/** What is before the lines of a log, page by page; without any lines, the newest. */
export class OlderPages {
  readonly #options: OlderPagesOptions;
  // Undefined before the first page.
  #cursor: string | null | undefined;

  constructor(options: OlderPagesOptions) {
    this.#options = options;
  }

  async next(): Promise<Outcome> {
    const { log, feed, read } = this.#options;
    for (let pages = 0; pages < MAX_PAGES && this.#cursor !== null; pages++) {
      // What has no room would be asked for and shown to nobody.
      if (log.room === 0) return 'full';
      const page = await read(this.#cursor === undefined ? endBefore(log) : { cursor: this.#cursor });
      this.#cursor = page.cursor;
      // What has come meanwhile is held as well.
      feed.flush();
      const older = withoutHeld(page.lines, [...log.lines, ...feed.waitingLines]);
      if (older.length === 0) continue;
      // The stream may be about to bring some of these.
      feed.leaveOut(older);
      const isTooMuch = older.length > log.room;
      log.prepend(older);
      if (isTooMuch) return 'full';
      break;
    }
    return this.#cursor === null ? 'over' : 'more';
  }
}

function endBefore({ lines }: LogBuffer): { endTime?: string } {
  const last = lines.slice(0, MIXED_LINES).findLast(({ at }) => at !== undefined);
  return last ? { endTime: new Date(Date.parse(last.at!) + MARGIN_MS).toISOString() } : {};
}
