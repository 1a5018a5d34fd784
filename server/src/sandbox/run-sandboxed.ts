import { once } from 'node:events';
import { constants } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Readable, Writable } from 'node:stream';
import { createBreather } from '../lib/breather.ts';
import { start, type ChildProcess } from '../lib/exec.ts';
import { processTree } from '../lib/process-tree.ts';
import {
  createCgroup,
  entrancesOf,
  hasRunOutOfMemory,
  killCgroup,
  membersOf,
  removeCgroup,
  type Cgroup,
} from './cgroups/cgroup.ts';
import type { HostAbilities } from './detect-isolation.ts';
import { planLaunch, PROGRAM_PATH } from './launch.ts';
import { openPipe, type Pipe } from './open-pipe.ts';
import { writeRecord } from './sandbox-records.ts';
import type { SandboxOutcome, SandboxRequest } from './sandbox.ts';
import { LineSplitter } from './split-lines.ts';

export interface RunContext {
  host: HostAbilities;
  cgroup: Cgroup;
  /** The folder of the records. */
  records: string;
  stage: string;
}

const MEMORY_POLL_MS = 500;

export async function runSandboxed(request: SandboxRequest, context: RunContext): Promise<SandboxOutcome> {
  if (request.signal.aborted) return { kind: 'aborted' };
  const { cgroup } = context;
  const forget = writeRecord(context.records, request.name, cgroup);
  try {
    createCgroup(cgroup, request.limits);
    return await runToEnd(request, context);
  } finally {
    await killCgroup(cgroup);
    await removeCgroup(cgroup);
    forget();
  }
}

async function runToEnd(request: SandboxRequest, context: RunContext): Promise<SandboxOutcome> {
  const { host, cgroup, stage, records } = context;
  const { argv, handedOver, filter } = planLaunch({ request, host, stage, entrances: entrancesOf(cgroup) });
  const pipe = await openPipe(join(records, `${request.name}.pipe`));
  const child = startInto(pipe, argv, { hasInput: request.input !== undefined, hasFilter: filter !== null });
  using watch = watchOver(child, request, cgroup);
  request.onStart?.(() => (cgroup.length > 0 ? membersOf(cgroup) : processTree(child.pid!)));
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  handOver(child.stdio[3] as Writable, handedOver);
  if (filter) handOver((child.stdio as (Writable | null)[])[4]!, filter);
  const read = readLines(pipe.output, request).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  const [[code, signal]] = await Promise.all([endWhole(ended, cgroup), read, giveInput(child, request.input)]);
  const exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0);
  if (watch.reason) return { kind: watch.reason };
  return exitCode !== 0 && hasRunOutOfMemory(cgroup) ? { kind: 'out-of-memory' } : { kind: 'exited', exitCode };
}

function startInto(
  { input, closeInput, output }: Pipe,
  argv: readonly [string, ...string[]],
  { hasInput, hasFilter }: { hasInput: boolean; hasFilter: boolean },
): ChildProcess {
  try {
    const stdio = [hasInput ? 'pipe' : 'ignore', input, 'ignore', 'pipe'] as const;
    const all = hasFilter ? [...stdio, 'pipe' as const] : [...stdio];
    return start(argv, { env: { PATH: PROGRAM_PATH }, cwd: '/', stdio: all });
  } catch (error) {
    output.destroy();
    throw error;
  } finally {
    closeInput();
  }
}

/** A program need not read to the end; that the source breaks off is ours to tell. */
async function giveInput(child: ChildProcess, input: SandboxRequest['input']): Promise<void> {
  if (!input || !child.stdin) return;
  try {
    await pipeline(input(), child.stdin);
  } catch (error) {
    if (hasStoppedReading(error)) return;
    child.kill('SIGKILL');
    throw error;
  }
}

/** It closed its input, or has ended already: which is seen first, and at which write, is chance. */
const STOPPED_READING = ['EPIPE', 'ECONNRESET', 'ECANCELED', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'];

function hasStoppedReading(error: unknown): boolean {
  return STOPPED_READING.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Whatever keeps the output open goes with the first process. */
async function endWhole<T>(ended: Promise<T>, cgroup: Cgroup): Promise<T> {
  try {
    return await ended;
  } finally {
    await killCgroup(cgroup);
  }
}

/** Ends the run when it is aborted, overdue or out of memory; ending the first process ends its whole namespace. */
function watchOver(child: ChildProcess, { signal, limits }: SandboxRequest, cgroup: Cgroup) {
  const watch = { reason: null as 'aborted' | 'timed-out' | 'out-of-memory' | null, [Symbol.dispose]: stop };
  const end = (reason: NonNullable<typeof watch.reason>) => {
    watch.reason ??= reason;
    child.kill('SIGKILL');
  };
  const onAbort = () => end('aborted');
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  const overdue = setTimeout(() => end('timed-out'), limits.timeoutMs);
  // Where one process of many is ended for want of memory, the others may wait for it for ever.
  const poll = setInterval(() => hasRunOutOfMemory(cgroup) && end('out-of-memory'), MEMORY_POLL_MS);
  function stop(): void {
    signal.removeEventListener('abort', onAbort);
    clearTimeout(overdue);
    clearInterval(poll);
  }
  return watch;
}

/** A sandbox that failed to start does not read it; its exit tells. */
function handOver(pipe: Writable, bytes: Buffer): void {
  pipe.on('error', () => {});
  pipe.end(bytes);
}

/** Whoever hears a line may have much to do with it: however many come at a time, others have their turn between them. */
async function readLines(output: Readable, request: SandboxRequest): Promise<void> {
  const splitter = new LineSplitter();
  const breathe = createBreather();
  const tell = async (lines: readonly string[]): Promise<void> => {
    for (const line of lines) {
      await request.onLine(line);
      await breathe();
    }
  };
  for await (const chunk of output as AsyncIterable<Buffer>) await tell(splitter.push(chunk));
  await tell(splitter.end());
}
