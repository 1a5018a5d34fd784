import type Docker from 'dockerode';
import { setTimeout as delay } from 'node:timers/promises';
import type { HeldInstance } from '../held/held-instance.ts';
import { readStatus, writeStatus, type ExitStatus } from '../held/instance-exit.ts';
import { containerName } from './container-options.ts';
import { isNotFound } from './engine-errors.ts';
import { labelNames } from './network-book.ts';

/** So long the engine may be away before nobody waits for what it knows. */
const PATIENCE_MS = 15_000;
const AGAIN_MS = 100;
const KILLED = 128 + 9;

/**
 * Writes down how a container ended: only the engine was told. Its process is gone already; the engine may need a
 * moment to see it, or be away itself. What it cannot tell is told as an end without a code.
 */
export async function noteEnd(engine: Docker, { record, folder }: Pick<HeldInstance, 'record' | 'folder'>) {
  if (readStatus(folder).exitCode !== null) return;
  const status = await askUntilEnded(engine, containerName(record.id));
  try {
    writeStatus(folder, status);
  } catch (error) {
    // It is being removed: nobody will ask any more.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

const UNKNOWN: ExitStatus = { exitCode: null, isOutOfMemory: false };

async function askUntilEnded(engine: Docker, name: string): Promise<ExitStatus> {
  const deadline = Date.now() + PATIENCE_MS;
  let isAskedAgain = false;
  for (; Date.now() < deadline; await delay(AGAIN_MS)) {
    const state = await readState(engine, name);
    if (state === 'gone') return UNKNOWN;
    if (state === 'unclear') continue;
    // That memory ran out is told to the engine by another way, which may be the slower one.
    if (state.exitCode !== KILLED || state.isOutOfMemory || isAskedAgain) return state;
    isAskedAgain = true;
  }
  return UNKNOWN;
}

async function readState(engine: Docker, name: string): Promise<ExitStatus | 'gone' | 'unclear'> {
  try {
    const { State } = await engine.getContainer(name).inspect();
    return State.Running ? 'unclear' : { exitCode: State.ExitCode, isOutOfMemory: State.OOMKilled };
  } catch (error) {
    return isNotFound(error) ? 'gone' : 'unclear';
  }
}

export interface EndsWatch {
  close(): void;
}

const RECONNECT_MS = 500;

/** Pokes whoever looks for ends as soon as the engine tells of one, and tells when the engine has come back. */
export function watchEnds(
  engine: Docker,
  installation: string,
  { onEnd, onReturn }: { onEnd: () => void; onReturn: () => void },
): EndsWatch {
  const over = new AbortController();
  const filters = {
    type: ['container' as const],
    event: ['die'],
    label: [`${labelNames.installation}=${installation}`],
  };
  const listen = async (): Promise<void> => {
    const stream = await engine.getEvents({ filters, abortSignal: over.signal });
    stream.on('data', onEnd);
    await new Promise((resolve) => stream.on('end', resolve).on('error', resolve).on('close', resolve));
  };
  const watch = async (): Promise<void> => {
    for (let isFirst = true; !over.signal.aborted; isFirst = false) {
      if (!isFirst) {
        await delay(RECONNECT_MS, undefined, { ref: false });
        if (over.signal.aborted) return;
        if (await answers(engine)) onReturn();
      }
      // The keeper looks by itself now and then: what is missed here is only later.
      await listen().catch(() => undefined);
      onEnd();
    }
  };
  void watch();
  return { close: () => over.abort() };
}

const answers = (engine: Docker): Promise<boolean> =>
  engine.ping().then(
    () => true,
    () => false,
  );
