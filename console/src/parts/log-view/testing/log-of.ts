import { LogBuffer } from '../buffer.ts';

/** A log of these lines, which tells of news at once. */
export function logOf(texts: readonly string[]): LogBuffer {
  const log = new LogBuffer({ schedule: (work) => work() });
  log.append(texts.map((text) => ({ text })));
  return log;
}
