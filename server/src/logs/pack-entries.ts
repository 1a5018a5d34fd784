import { severities } from '@lilac/contract/states';
import type { LogEntry } from './log-entry.ts';

/**
 * How a chunk looks before it is compressed. Columns compress well and can be read one without another:
 *
 *   version    1 byte
 *   lines      2 bytes, all numbers with the lowest byte first
 *   sources    4 bytes: how long their JSON is
 *   time       8 bytes, a double: of the first line, in milliseconds
 *   times      4 bytes a line: how much later than the line before; may be negative
 *   writers    2 bytes a line: which of the sources
 *   severities 1 byte a line
 *   sources    JSON: pairs of instance and deployment
 *   messages   the rest, in UTF-8, with a newline between two
 */
export const PACK_VERSION = 1;
export const HEADER_BYTES = 15;

/** Who wrote a line: instance and deployment. */
export type Source = [instanceId: string | null, deploymentId: string | null];

const severityIndexes = new Map(severities.map((severity, index) => [severity, index]));

export function packEntries(entries: readonly LogEntry[]): Buffer {
  const sources = new SourceTable();
  const columns = Buffer.allocUnsafe(HEADER_BYTES + entries.length * 7);
  const writersAt = HEADER_BYTES + entries.length * 4;
  const severitiesAt = writersAt + entries.length * 2;
  const startMs = Math.trunc(entries[0]?.atMs ?? 0);
  let beforeMs = startMs;
  for (const [index, entry] of entries.entries()) {
    const atMs = Math.trunc(entry.atMs);
    columns.writeInt32LE(atMs - beforeMs, HEADER_BYTES + index * 4);
    columns.writeUInt16LE(sources.indexOf(entry), writersAt + index * 2);
    columns[severitiesAt + index] = severityIndexes.get(entry.severity)!;
    beforeMs = atMs;
  }
  const sourcesJson = Buffer.from(JSON.stringify(sources.list));
  columns.writeUInt8(PACK_VERSION, 0);
  columns.writeUInt16LE(entries.length, 1);
  columns.writeUInt32LE(sourcesJson.length, 3);
  columns.writeDoubleLE(startMs, 7);
  return Buffer.concat([columns, sourcesJson, Buffer.from(entries.map(({ message }) => oneLine(message)).join('\n'))]);
}

/** A message has no newline; one that had would shift all that follow. */
function oneLine(message: string): string {
  return message.includes('\n') ? message.replaceAll('\n', ' ') : message;
}

/** Neighbouring lines mostly have the same source. */
class SourceTable {
  readonly list: Source[] = [];
  readonly #known = new Map<string, number>();
  #last: LogEntry | undefined;
  #lastIndex = 0;

  indexOf(entry: LogEntry): number {
    const last = this.#last;
    if (last?.instanceId === entry.instanceId && last.deploymentId === entry.deploymentId) return this.#lastIndex;
    this.#last = entry;
    this.#lastIndex = this.#find(entry);
    return this.#lastIndex;
  }

  #find({ instanceId, deploymentId }: LogEntry): number {
    const key = JSON.stringify([instanceId, deploymentId]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const index = this.list.push([instanceId, deploymentId]) - 1;
    this.#known.set(key, index);
    return index;
  }
}
