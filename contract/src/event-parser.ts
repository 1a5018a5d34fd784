/** An event as it stood in the stream. */
export interface ParsedEvent {
  id: string;
  event: string;
  data: string;
}

/**
 * Reads server-sent events (HTML standard, 9.2.6) from text that comes in any pieces. Only what a blank line
 * has ended counts: of an event whose end never came, nothing is kept.
 */
export class EventParser {
  /** Of the last event that came whole, or of a place without one. */
  lastEventId: string;
  /** How long to wait before coming back, once the stream has said so. */
  retryMs: number | null = null;
  #rest = '';
  #isFirst = true;
  #endedWithReturn = false;
  #id: string;
  #event = '';
  #data: string[] = [];

  constructor(lastEventId = '') {
    this.lastEventId = lastEventId;
    this.#id = lastEventId;
  }

  push(piece: string): ParsedEvent[] {
    const events: ParsedEvent[] = [];
    for (const line of this.#linesOf(piece)) {
      if (line !== '') this.#readField(line);
      else this.#dispatch(events);
    }
    return events;
  }

  /** A line ends with CR, LF or both, and the both may come apart. */
  #linesOf(piece: string): string[] {
    if (piece === '') return [];
    let text = piece;
    if (this.#isFirst) text = text.replace(/^\uFEFF/, '');
    if (this.#endedWithReturn && text.startsWith('\n')) text = text.slice(1);
    this.#isFirst = false;
    this.#endedWithReturn = piece.endsWith('\r');
    const lines = (this.#rest + text).split(/\r\n|\r|\n/);
    this.#rest = lines.pop()!;
    return lines;
  }

  #readField(line: string): void {
    const colon = line.indexOf(':');
    // A comment.
    if (colon === 0) return;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#event = value;
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value);
  }

  #dispatch(events: ParsedEvent[]): void {
    this.lastEventId = this.#id;
    if (this.#data.length > 0) {
      events.push({ id: this.#id, event: this.#event || 'message', data: this.#data.join('\n') });
    }
    this.#event = '';
    this.#data = [];
  }
}
