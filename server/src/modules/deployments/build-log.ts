import type { UnreadLine } from '../../build/builder.ts';
import type { Db } from '../../db/pool.ts';
import { createBreather } from '../../lib/breather.ts';
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
  /** The same, counted as what it took when it was written. It is read when it is stored, and not where it is left out. */
  unread(line: UnreadLine): void;
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
  let waiting: UnreadLine[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const clean = (text: string): string => storable(cut(text, limits.lineLength));
  const breathe = createBreather();
  const writeWaiting = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    while (waiting.length > 0) {
      const chunk = waiting.slice(0, CHUNK_LINES);
      const lines: string[] = [];
      for (const line of chunk) {
        lines.push(clean(await line.read()));
        await breathe();
      }
      await appendLines(db, deploymentId, lines);
      waiting = waiting.slice(chunk.length);
    }
  };
  // One after another: chunks are numbered in the order of their lines.
  const write = (): Promise<void> => (writing = writing.catch(() => {}).then(writeWaiting));
  const tryToWrite = () => void write().catch((error: unknown) => log.warn({ err: error }, 'a build log waits'));
  const put = (line: UnreadLine): void => {
    waiting.push(line);
    timer ??= setTimeout(tryToWrite, EVERY_MS);
  };
  const say = (text: string): void => put(asLine(MARK + text));
  const putEnd = (): void => {
    if (end.isEmpty) return;
    const { lines, leftOut } = end.take();
    if (leftOut > 0) say(`The log is too long: ${countLines(leftOut)} left out here.`);
    for (const line of lines) put(line);
    quota = createQuota(limits.end);
  };
  const store = (): Promise<void> => {
    putEnd();
    return write();
  };
  const take = (line: UnreadLine): void => {
    if (quota.spend(line)) return put(line);
    if (end.isEmpty) say('The log is too long: what follows is left out, but for its end.');
    end.hold({ bytes: Math.min(line.bytes, limits.lineLength), read: () => line.read() });
  };
  return {
    line: (text) => take(asLine(text)),
    unread: take,
    note(text) {
      putEnd();
      say(text);
    },
    flush: store,
    async close() {
      await store().catch((error: unknown) => log.warn({ err: error }, 'the end of a build log was lost'));
    },
  };
}

function asLine(text: string): UnreadLine {
  return { bytes: Buffer.byteLength(text), read: () => text };
}

function createQuota({ lines, bytes }: EndLimits) {
  let [linesLeft, bytesLeft] = [lines, bytes];
  return {
    /** Whether there is room for it. After one that has none there is none for any other. */
    spend(line: UnreadLine): boolean {
      linesLeft -= 1;
      bytesLeft -= line.bytes + 1;
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
