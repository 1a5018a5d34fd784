import { ApiError } from '../contract/src/client.ts';
import type { Scene } from './scene.ts';

/** What came of asking for a change. `unknown`: it may have been made. */
export type Outcome<T> =
  | { kind: 'acknowledged'; answer: T }
  | { kind: 'refused'; message: string }
  | { kind: 'unknown'; message: string };

export interface AttemptOptions {
  /** What is changed, for the events. */
  about: string;
  what: string;
  /** Refusals that are right, by their status. */
  mayRefuse?: readonly number[];
  /** Only somebody looks: that they were answered is not told. */
  isQuiet?: true;
}

/** Asks for a change once, and tells what came of it. That nobody answered counts, and must be explained by a fault. */
export async function attempt<T>(
  { events, outages }: Pick<Scene, 'events' | 'outages'>,
  { about, what, mayRefuse = [], isQuiet }: AttemptOptions,
  work: () => Promise<T>,
): Promise<Outcome<T>> {
  const startedAt = performance.now();
  try {
    const answer = await work();
    if (!isQuiet) events.tell(about, `${what}: done`);
    return { kind: 'acknowledged', answer };
  } catch (error) {
    const message = describeError(error);
    const status = error instanceof ApiError ? error.status : 0;
    const isRefused = status >= 400 && status < 500;
    events.tell(about, `${what}: ${isRefused ? 'refused' : 'not answered'}, ${message}`);
    if (!mayRefuse.includes(status)) outages.note({ part: 'api', message, startedAt, endedAt: performance.now() });
    return { kind: isRefused ? 'refused' : 'unknown', message };
  }
}

/** With the status in front, as those who count requests have it, and with what is behind a failed fetch. */
export function describeError(error: unknown): string {
  if (error instanceof ApiError) return `${error.status} ${error.code} ${error.message}`;
  const { message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
  return cause ? `${message} (${cause.code ?? ''}: ${cause.message})` : message;
}
