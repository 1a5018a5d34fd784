import type { StreamItemOf } from '../../http/handler.ts';
import type { DecodedChunk } from '../../logs/decoded-chunk.ts';
import type { NumberedEntry } from '../../logs/log-entry.ts';
import type { Endpoints } from '@lilac/contract/endpoints';

export type LogStreamItem = StreamItemOf<Endpoints['logs.stream']>;

export interface SharedLine {
  entry: NumberedEntry;
  item: LogStreamItem;
}

/** A chunk that several read at the same time: what is made of a line is made once, for all of them. */
export class HubChunk {
  readonly #chunk: DecodedChunk;
  readonly #lines: (SharedLine | undefined)[] = [];

  constructor(chunk: DecodedChunk) {
    this.#chunk = chunk;
  }

  get firstLine(): number {
    return this.#chunk.firstLine;
  }

  get lastLine(): number {
    return this.#chunk.lastLine;
  }

  /** All messages at once: whether a text is in any of them is told by one look. */
  get text(): string {
    return this.#chunk.text;
  }

  severityBitAt(line: number): number {
    return 1 << this.#chunk.severityIndexAt(line - this.firstLine);
  }

  lineAt(line: number): SharedLine {
    const index = line - this.firstLine;
    return (this.#lines[index] ??= present(this.#chunk.entryAt(index)));
  }
}

function present(entry: NumberedEntry): SharedLine {
  const { line, atMs, severity, message, instanceId } = entry;
  const data = { t: new Date(atMs).toISOString(), severity, message, instance: instanceId };
  return { entry, item: { id: String(line), event: 'log', data } };
}
