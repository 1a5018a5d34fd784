import { setTimeout as delay } from 'node:timers/promises';
import { BuildFailed } from './builder.ts';
import { measure } from './cache/installed-trees.ts';

const GIBIBYTE = 1024 ** 3;

/** What the files of one build and its organisation's downloads may take together while it runs. */
export const MAX_BUILD_BYTES = 12 * GIBIBYTE;

const FIRST_LOOK_MS = 2000;
/** Measuring takes this part of a core at most, however many files there are. */
const SHARE = 1 / 20;

export interface DiskWatch extends Disposable {
  /** Aborted, with `BuildFailed` as its reason, once there is more. */
  signal: AbortSignal;
}

/** File systems rarely can limit a folder, so that it is measured now and then. */
export function watchDisk(
  folders: readonly string[],
  maxBytes = MAX_BUILD_BYTES,
  firstLookMs = FIRST_LOOK_MS,
): DiskWatch {
  const full = new AbortController();
  const over = new AbortController();
  void look({ folders, maxBytes, firstLookMs, full, over: over.signal }).catch(() => {});
  return { signal: full.signal, [Symbol.dispose]: () => over.abort() };
}

interface Look {
  folders: readonly string[];
  maxBytes: number;
  firstLookMs: number;
  full: AbortController;
  over: AbortSignal;
}

async function look({ folders, maxBytes, firstLookMs, full, over }: Look): Promise<void> {
  for (let waitMs = firstLookMs; !full.signal.aborted;) {
    await delay(waitMs, null, { signal: over });
    const startedAt = performance.now();
    const sizes = await Promise.all(folders.map((folder) => measure(folder)));
    if (sizes.reduce((sum, size) => sum + size, 0) > maxBytes) full.abort(tookTooMuch(maxBytes));
    waitMs = Math.max(firstLookMs, (performance.now() - startedAt) / SHARE);
  }
}

function tookTooMuch(maxBytes: number): BuildFailed {
  const limit = `${Math.round(maxBytes / GIBIBYTE)} GiB`;
  return new BuildFailed(`The build wrote more than ${limit} of files and was stopped. Let it write less.`);
}
