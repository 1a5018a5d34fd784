import { WaitTimedOut } from './errors.ts';
import { WAIT_MS, type WaitOptions } from './wait-options.ts';

/** setTimeout takes no more, and would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Runs work that ends when the signal it gets is aborted: by the caller, or because the time is over. */
export async function withDeadline<T>(
  what: string,
  { timeoutMs = WAIT_MS, signal }: WaitOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const abort = () => ending.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  const tooLate = () => ending.abort(new WaitTimedOut(what, timeoutMs));
  const timer = timeoutMs > LONGEST_TIMER_MS ? undefined : setTimeout(tooLate, timeoutMs);
  try {
    ending.signal.throwIfAborted();
    return await work(ending.signal);
  } catch (error) {
    // Whatever way the work noticed, the reason is what counts.
    throw ending.signal.aborted ? ending.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
