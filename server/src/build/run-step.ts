import type { Mount, Sandbox } from '../sandbox/sandbox.ts';
import { BuildFailed } from './builder.ts';
import { watchDisk } from './watch-disk.ts';

/** What every command of one build shares. */
export interface StepContext {
  sandbox: Sandbox;
  deploymentId: string;
  uid: number;
  mounts: readonly Mount[];
  /** What it may fill with files. */
  filled: readonly string[];
  limits: { memoryMb: number; cpus: number; timeoutMinutes: number };
  signal: AbortSignal;
  onLine(line: string): void;
}

export interface Step {
  /** `install`, `build`. */
  name: string;
  argv: readonly [string, ...string[]];
  /** As it is told to people. */
  command: string;
  /** As the command sees it. */
  cwd: string;
  env: Readonly<Record<string, string>>;
}

/** Threads count too, and every worker of a bundler has a dozen. */
const MAX_PIDS = 4096;

/** Shell text of the project's: it is run in the sandbox only. */
export const shellArgv = (command: string): [string, string, string] => ['/bin/sh', '-c', command];

/** Runs one command of a build to its end. Rejects with `BuildFailed` when it did not succeed. */
export async function runStep(context: StepContext, step: Step): Promise<void> {
  const exitCode = await tryStep(context, step);
  if (exitCode !== 0) throw stepFailed(step, exitCode);
}

export function stepFailed(step: Pick<Step, 'name' | 'command'>, exitCode: number): BuildFailed {
  const hint = exitCode === 127 ? ' A program it needs is not installed here.' : '';
  return new BuildFailed(`The ${step.name} command failed with exit code ${exitCode}: ${step.command}.${hint}`);
}

/** The same, where an exit code other than 0 may be no failure. */
export async function tryStep(context: StepContext, step: Step): Promise<number> {
  const { sandbox, deploymentId, uid, mounts, limits } = context;
  const started: (() => number[])[] = [];
  using disk = watchDisk(context.filled, {
    members: () => started.flatMap((list) => list()),
    onTrouble: (sentence) => context.onLine(`Warning: ${sentence}`),
  });
  const signal = AbortSignal.any([context.signal, disk.signal]);
  context.onLine(`$ ${step.command}`);
  const outcome = await sandbox.run({
    name: `${deploymentId}-${step.name}`,
    argv: step.argv,
    cwd: step.cwd,
    env: step.env,
    mounts,
    uid,
    limits: { ...limits, pids: MAX_PIDS, timeoutMs: limits.timeoutMinutes * 60_000 },
    signal,
    onStart: (members) => void started.push(members),
    onLine: (line) => context.onLine(line),
  });
  signal.throwIfAborted();
  if (outcome.kind === 'exited') return outcome.exitCode;
  if (outcome.kind === 'out-of-memory') throw outOfMemory(limits.memoryMb);
  throw tookTooLong(limits.timeoutMinutes);
}

function outOfMemory(memoryMb: number): BuildFailed {
  return new BuildFailed(
    `The build ran out of memory (limit ${memoryMb} MiB). Let it use less, or raise LILAC_BUILD_MEMORY on the platform.`,
  );
}

export function tookTooLong(minutes: number): BuildFailed {
  return new BuildFailed(
    `The build took longer than ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} and was stopped. ` +
      'LILAC_BUILD_MINUTES of the platform is the limit.',
  );
}
