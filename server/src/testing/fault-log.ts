import { createLog, type Log } from '../lib/log.ts';

/** A log that keeps what it was told of faults of our own. */
export interface FaultLog {
  log: Log;
  faults: string[];
}

export function createFaultLog(): FaultLog {
  const faults: string[] = [];
  const destination = { write: (line: string) => void faults.push(line) };
  return { log: createLog({ level: 'error', role: 'api', destination }), faults };
}
