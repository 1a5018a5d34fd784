import type { Log } from '../../lib/log.ts';

const told = new WeakSet<Error>();

/** One failure may meet many visitors, who all get the same error: it is one line. */
export function logUnreadable(log: Log, fields: { err: unknown; artifactId?: string }, message: string): void {
  const { err } = fields;
  if (err instanceof Error) {
    if (told.has(err)) return;
    told.add(err);
  }
  log.error(fields, message);
}
