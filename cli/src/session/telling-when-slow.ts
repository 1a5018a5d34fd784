/** Longer than nearly every answer takes. */
const SLOW_MS = 5000;

export interface Telling {
  apiUrl: string;
  complain: (text: string) => void;
  slowMs?: number;
  fetch?: typeof fetch;
}

/**
 * Says once what is waited for where no answer begins for seconds. Node gives up by itself after five minutes without
 * one, which some answers take: a dump of a large database, for instance.
 */
export function tellingWhenSlow({ apiUrl, complain, slowMs = SLOW_MS, fetch: ask = fetch }: Telling): typeof fetch {
  let isTold = false;
  const tell = () => {
    if (!isTold) complain(`Waiting for ${apiUrl} to answer; for five minutes at most, Ctrl-C ends it.\n`);
    isTold = true;
  };
  return async (...request) => {
    const timer = setTimeout(tell, slowMs);
    timer.unref();
    try {
      return await ask(...request);
    } finally {
      clearTimeout(timer);
    }
  };
}
