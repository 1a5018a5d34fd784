/** Longer than nearly every answer takes. */
const SLOW_MS = 5000;
const CLEAR_LINE = '\r\u001b[K';

export interface Telling {
  apiUrl: string;
  complain: (text: string) => void;
  /** Something may be shown there that is written over. */
  isTerminal?: boolean | undefined;
  slowMs?: number;
  fetch?: typeof fetch;
}

/**
 * Says once what is waited for where no answer begins for seconds. Node gives up by itself after five minutes without
 * one, which some answers take: a dump of a large database, for instance.
 */
export function tellingWhenSlow({
  apiUrl,
  complain,
  isTerminal = false,
  slowMs = SLOW_MS,
  fetch: ask = fetch,
}: Telling): typeof fetch {
  let isTold = false;
  const tell = () => {
    if (!isTold)
      complain(
        `${isTerminal ? CLEAR_LINE : ''}Waiting for ${apiUrl} to answer; for five minutes at most, Ctrl-C ends it.\n`,
      );
    isTold = true;
  };
  return async (...request) => {
    // What is uploaded takes its time, and shows it.
    if (typeof (request[1]?.body ?? '') !== 'string') return await ask(...request);
    const timer = setTimeout(tell, slowMs);
    timer.unref();
    try {
      return await ask(...request);
    } finally {
      clearTimeout(timer);
    }
  };
}
