import { tooLate } from './git-failure.ts';
import type { Repository } from './repository.ts';

/** Whoever waits for an answer does not wait as long as a build may. */
export function timeLimit(repository: Repository, limitMs: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(tooLate(repository)), limitMs).unref();
  return controller.signal;
}
