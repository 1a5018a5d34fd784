import { Worker } from 'node:worker_threads';
import { createFairTurns } from '../../lib/fair-turns.ts';
import type { SourceTree } from '../../source/source-tree.ts';
import { type BuildSettings, type Plan, PlanRefused } from '../plan.ts';
import type { FromThread, ToThread } from './detect-messages.ts';

/** What reading the files of a source takes, without waiting for them; usually it is milliseconds. */
const OWN_TIME_MS = 30_000;
/** Loading a thread takes longer than most detections: the next one finds it loaded. */
const IDLE_MS = 10_000;
const MAX_MEMORY_MIB = 256;
/** Each has memory of its own. */
const MAX_THREADS = 8;
const MAX_PER_OWNER = 3;

const program = new URL('./detect-thread.ts', import.meta.url);
const turns = createFairTurns({ turns: MAX_THREADS, perOwner: MAX_PER_OWNER });
const idle = new Set<Worker>();

/**
 * `detectPlan` in a thread of its own. What it reads is anybody's text: should one be found that takes for ever, or all
 * memory, it is refused, and the process goes on with what it does for others. Owners take turns.
 */
export function detectApart(
  tree: SourceTree,
  settings: BuildSettings,
  { owner, ownTimeMs = OWN_TIME_MS }: { owner: string; ownTimeMs?: number },
): Promise<Plan> {
  return turns.run(owner, async () => {
    const thread = takeThread();
    try {
      const plan = await converse(thread, { tree, settings, ownTimeMs });
      leaveThread(thread);
      return plan;
    } catch (error) {
      // It may be at work on another part of the same source.
      void thread.terminate();
      throw error;
    }
  });
}

function takeThread(): Worker {
  const [known] = idle;
  if (!known) return openThread();
  idle.delete(known);
  known.ref();
  return known;
}

function openThread(): Worker {
  const thread = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MIB } });
  // What goes wrong is told by whoever has it; between two of them there is nobody to tell.
  thread.on('error', () => {});
  thread.once('exit', () => idle.delete(thread));
  return thread;
}

/** It keeps no process from ending. */
function leaveThread(thread: Worker): void {
  thread.unref();
  idle.add(thread);
  setTimeout(() => {
    if (idle.delete(thread)) void thread.terminate();
  }, IDLE_MS).unref();
}

interface Talk {
  tree: SourceTree;
  settings: BuildSettings;
  ownTimeMs: number;
}

/** Rejects with what the tree rejected with, or what the thread ended of. */
async function converse(thread: Worker, { tree, settings, ownTimeMs }: Talk): Promise<Plan> {
  const outcome = Promise.withResolvers<Plan>();
  const watch = createWatch(ownTimeMs, () => outcome.reject(new PlanRefused(TOOK_TOO_LONG)));
  const say = (message: ToThread) => thread.postMessage(message, []);

  const answer = async ({ number, ask, path }: Extract<FromThread, { kind: 'question' }>) => {
    watch.pause();
    try {
      const value = await (ask === 'list' ? tree.list(path) : tree.read(path));
      say({ kind: 'answer', number, value });
    } catch (error) {
      outcome.reject(error);
      say({ kind: 'no answer', number });
    } finally {
      watch.goOn();
    }
  };
  const onMessage = (message: FromThread) => {
    if (message.kind === 'question') void answer(message);
    else if (message.kind === 'failed') outcome.reject(whyFailed(message.error));
    else if (message.kind === 'refused') outcome.reject(new PlanRefused(message.message));
    else outcome.resolve(message.plan);
  };
  const onError = (error: Error) => outcome.reject(whyFailed(error));
  const onExit = () => outcome.reject(new Error('the thread that detects has ended'));
  thread.on('message', onMessage).once('error', onError).once('exit', onExit);
  try {
    say({ kind: 'detect', settings });
    return await outcome.promise;
  } finally {
    watch.end();
    thread.off('message', onMessage).off('error', onError).off('exit', onExit);
  }
}

const TOO_MUCH = 'Make its package.json, or whatever else says how it is built, shorter and plainer, and deploy again.';
const TOOK_TOO_LONG = `To tell how the source is built takes too long. ${TOO_MUCH}`;
const TOO_LARGE = `To tell how the source is built takes too much memory. ${TOO_MUCH}`;

/** That there was too much of it is the source's fault: too many calls, a text too long, no memory left. */
function whyFailed(error: Error): Error {
  const isTooMuch = error.name === 'RangeError' || (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isTooMuch ? new PlanRefused(TOO_LARGE, { cause: error }) : error;
}

/** Counts the time in which nothing is asked of the tree. */
function createWatch(timeMs: number, onOver: () => void) {
  let leftMs = timeMs;
  let since = performance.now();
  let open = 0;
  // What this thread had no time to hear is heard first.
  const start = () => setTimeout(() => setImmediate(() => void (open === 0 && isOver() && onOver())), leftMs);
  const isOver = () => performance.now() - since >= leftMs;
  let timer = start();
  return {
    pause() {
      if (open++ > 0) return;
      clearTimeout(timer);
      leftMs = Math.max(0, leftMs - (performance.now() - since));
    },
    goOn() {
      if (--open > 0) return;
      if (leftMs === 0) {
        onOver();
        return;
      }
      since = performance.now();
      timer = start();
    },
    end() {
      open = Infinity;
      clearTimeout(timer);
    },
  };
}
