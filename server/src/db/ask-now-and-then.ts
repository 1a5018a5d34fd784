import type pg from 'pg';
import { isOfThisMachine } from './silence-watch.ts';

const EVERY_MS = 5000;

/**
 * On a connection that only listens nothing would ever be sent, and so nobody would notice that its other end is
 * gone. What is not answered is noticed (see silence-watch.ts). Returns what ends it.
 */
export function askNowAndThen(client: pg.Client, everyMs = EVERY_MS): () => void {
  if (isOfThisMachine(client)) return () => {};
  let isAsking = false;
  const timer = setInterval(() => {
    if (isAsking) return;
    isAsking = true;
    client
      .query('select 1')
      .catch(() => {})
      .finally(() => (isAsking = false));
  }, everyMs).unref();
  return () => clearInterval(timer);
}
