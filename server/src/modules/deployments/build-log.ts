import type { Db } from '../../db/pool.ts';
import type { Log } from '../../lib/log.ts';
import { createBuildLogEnd, type EndLimits } from './build-log-end.ts';
import { appendLines } from './log-store.ts';
import { storable } from './storable.ts';

/**
 * What a build says, stored as it comes. What is too long loses its middle: the last lines of each step are kept in
 * mind, and stored when the step ends, for there it says what went wrong.
 */
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
  /** How much of the end of a step is kept beyond these; and how much of the beginning of each step after it. */
  end: EndLimits;
}

const LIMITS: BuildLogLimits = {
  lines: 100_000,
  bytes: 10 * 1024 * 1024,
  lineLength: 16_384,
  end: { lines: 1000, bytes: 512 * 1024 },
};
const EVERY_MS = 100;
const CHUNK_LINES = 200;
/** Lines that begin so are the platform's. */
const MARK = '==> ';

export function createBuildLog({ db, deploymentId, log, limits: given }: BuildLogOptions): BuildLog {
  const limits = { ...LIMITS, ...given };
  const end = createBuildLogEnd(limits.end);
  let quota = createQuota(limits);
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
  const put = (line: string): void => {
    waiting.push(line);
    timer ??= setTimeout(tryToWrite, EVERY_MS);
  };
  const clean = (text: string): string => storable(cut(text, limits.lineLength));
  const putEnd = (): void => {
    if (end.isEmpty) return;
    const { lines, leftOut } = end.take();
    if (leftOut > 0) put(`${MARK}The log is too long: ${countLines(leftOut)} left out here.`);
    for (const line of lines) put(line);
    quota = createQuota(limits.end);
  };
  const store = (): Promise<void> => {
    putEnd();
    return write();
  };
  return {
    line(text) {
      if (quota.spend(text)) return put(clean(text));
      if (end.isEmpty) put(`${MARK}The log is too long: what follows is left out, but for its end.`);
      end.hold(clean(text));
    },
    note(text) {
      putEnd();
      put(clean(MARK + text));
    },
    flush: store,
    async close() {
      await store().catch((error: unknown) => log.warn({ err: error }, 'the end of a build log was lost'));
    },
  };
}

function createQuota({ lines, bytes }: EndLimits) {
  let [linesLeft, bytesLeft] = [lines, bytes];
  return {
    /** Whether there is room for it. After one that has none there is none for any other. */
    spend(text: string): boolean {
      linesLeft -= 1;
      bytesLeft -= Buffer.byteLength(text) + 1;
      return linesLeft >= 0 && bytesLeft >= 0;
    },
  };
}

function countLines(count: number): string {
  return count === 1 ? '1 line is' : `${count.toLocaleString('en-GB')} lines are`;
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)} …` : text;
}
