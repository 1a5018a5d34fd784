import type { Exit } from '../../runtime/runtime.ts';

/** How an instance ended that was not told to. */
export type Failure =
  | { kind: 'exit'; exit: Exit; livedMs: number }
  /** It runs, and nobody can reach it; or it could not be started at all. The message is a sentence. */
  | { kind: 'unreachable' | 'refused'; message: string }
  /** It was reached once, and does not answer any more. The same. */
  | { kind: 'hung'; message: string; livedMs: number };

/** The early ends of one deployment's instances, with none in between that stayed up. */
export interface CrashRecord {
  count: number;
  /** No instance is started before. */
  notBeforeMs: number;
  /** What is wrong, for a person; null while it may have been chance. */
  trouble: string | null;
}

export interface CrashTiming {
  /** Who has been up for so long has not crashed at its start. */
  stableMs: number;
  firstBackoffMs: number;
  longestBackoffMs: number;
}

export const NO_CRASHES: CrashRecord = { count: 0, notBeforeMs: 0, trouble: null };

/** So many in a row are no chance. */
const LOOP_LENGTH = 3;

export function noteFailure(
  before: CrashRecord,
  failure: Failure,
  { nowMs, memoryMb, timing }: { nowMs: number; memoryMb: number; timing: CrashTiming },
): CrashRecord {
  if (isMachineLost(failure)) return before;
  const hasLived = failure.kind === 'exit' || failure.kind === 'hung';
  const isEarly = !hasLived || failure.livedMs < timing.stableMs;
  const count = isEarly ? before.count + 1 : before.count;
  const isTelling = count >= LOOP_LENGTH || failure.kind === 'refused' || isOutOfMemory(failure);
  return {
    count,
    notBeforeMs: isEarly ? nowMs + backoffMs(count, timing) : before.notBeforeMs,
    trouble: isTelling ? troubleOf(failure, { memoryMb, isEarly }) : before.trouble,
  };
}

/** One was counted as hung, with this message, and its machine turned out to be lost. */
export function takeBackHung(before: CrashRecord, message: string): CrashRecord {
  const count = Math.max(0, before.count - 1);
  const isTroubleLeft = before.trouble !== message || count >= LOOP_LENGTH;
  const notBeforeMs = count === 0 ? 0 : before.notBeforeMs;
  return { count, notBeforeMs, trouble: isTroubleLeft ? before.trouble : null };
}

export function isCrashLoop({ count }: CrashRecord): boolean {
  return count >= LOOP_LENGTH;
}

/** It was lost with its machine: no end of the program's own. */
export const isMachineLost = (failure: Failure): boolean =>
  failure.kind === 'exit' && failure.exit.isMachineLost === true;

/** For the log: `Instance ins_1 ended with exit code 1 after 3 s.` */
export function describeFailure(instanceId: string, failure: Failure, memoryMb: number): string {
  if (isMachineLost(failure)) return `Instance ${instanceId} was lost with its machine. Another one takes its place.`;
  if (failure.kind !== 'exit') return `Instance ${instanceId}: ${failure.message}`;
  return `Instance ${instanceId} ${describeExit(failure.exit, memoryMb)} after ${Math.round(failure.livedMs / 1000)} s.`;
}

/** `ended with exit code 1`, `ran out of memory (limit 512Mi)`. */
export function describeExit(exit: Exit, memoryMb: number): string {
  const { exitCode, isOutOfMemory: isOom } = exit;
  if (exit.isMachineLost) return 'was lost with its machine';
  if (isOom) return `ran out of memory (limit ${formatMemory(memoryMb)})`;
  return exitCode === null ? 'was ended by a signal' : `ended with exit code ${exitCode}`;
}

function formatMemory(memoryMb: number): string {
  return memoryMb % 1024 === 0 ? `${memoryMb / 1024}Gi` : `${memoryMb}Mi`;
}

function troubleOf(failure: Failure, { memoryMb, isEarly }: { memoryMb: number; isEarly: boolean }): string {
  if (failure.kind !== 'exit') return failure.message;
  if (isOutOfMemory(failure)) {
    const limit = formatMemory(memoryMb);
    return `Instances ran out of memory (limit ${limit})${isEarly ? ' soon after their start' : ''}. Give them more memory, or let them use less.`;
  }
  const { exitCode } = failure.exit;
  const how = exitCode === null ? 'being ended by a signal' : `ending with exit code ${exitCode}`;
  return `Instances keep ${how} soon after their start. See the log of the deployment.`;
}

const isOutOfMemory = (failure: Failure): boolean => failure.kind === 'exit' && failure.exit.isOutOfMemory;

function backoffMs(count: number, { firstBackoffMs, longestBackoffMs }: CrashTiming): number {
  return Math.min(longestBackoffMs, firstBackoffMs * 2 ** (count - 1));
}
