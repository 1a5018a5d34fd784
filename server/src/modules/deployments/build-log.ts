import type { Db } from '../../db/pool.ts';
import type { Log } from '../../lib/log.ts';
import { appendLines } from './log-store.ts';
import { storable } from './storable.ts';

/** What a build says, stored as it comes. */
export interface BuildLog {
  /** A line of the project's own tools. */
  line(text: string): void;
  /** A line of the platform's: what it does, how long it took, why it failed. Never left out. */
  note(text: string): void;
  /** Resolves when everything so far is stored. */
  flush(): Promise<void>;
  /** Stores what it can of the rest; never fails. */
  close(): Promise<void>;
}

export interface BuildLogOptions {
  db: Db;
  deploymentId: string;
  log: Log;
  limits?: Partial<BuildLogLimits>;
}

export interface BuildLogLimits {
  lines: number;
  bytes: number;
  lineLength: number;
}

const LIMITS: BuildLogLimits = { lines: 100_000, bytes: 10 * 1024 * 1024, lineLength: 16_384 };
const EVERY_MS = 100;
const CHUNK_LINES = 200;
/** Lines that begin so are the platform's. */
const MARK = '==> ';

export function createBuildLog({ db, deploymentId, log, limits: given }: BuildLogOptions): BuildLog {
  const limits = { ...LIMITS, ...given };
  const quota = createQuota(limits);
  let waiting: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const writeWaiting = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    while (waiting.length > 0) {
      const chunk = waiting.slice(0, CHUNK_LINES);
      await appendLines(db, deploymentId, chunk);
      waiting = waiting.slice(chunk.length);
    }
  };
  // One after another: chunks are numbered in the order of their lines.
  const write = (): Promise<void> => (writing = writing.catch(() => {}).then(writeWaiting));
  const tryToWrite = () => void write().catch((error: unknown) => log.warn({ err: error }, 'a build log waits'));
  const add = (text: string): void => {
    waiting.push(storable(cut(text, limits.lineLength)));
    timer ??= setTimeout(tryToWrite, EVERY_MS);
  };
  return {
    line(text) {
      const verdict = quota.spend(text);
      if (verdict === 'kept') add(text);
      else if (verdict === 'last') add(`${MARK}The log is too long: the lines that follow are left out.`);
    },
    note: (text) => add(MARK + text),
    flush: write,
    async close() {
      await write().catch((error: unknown) => log.warn({ err: error }, 'the end of a build log was lost'));
    },
  };
}

function createQuota({ lines, bytes }: BuildLogLimits) {
  let [linesLeft, bytesLeft] = [lines, bytes];
  return {
    /** `last`: the first line that has no room. */
    spend(text: string): 'kept' | 'last' | 'dropped' {
      if (linesLeft < 0) return 'dropped';
      linesLeft -= 1;
      bytesLeft -= Buffer.byteLength(text) + 1;
      if (linesLeft >= 0 && bytesLeft >= 0) return 'kept';
      linesLeft = -1;
      return 'last';
    },
  };
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)} …` : text;
}
