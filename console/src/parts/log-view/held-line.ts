import type { Severity } from '@lilac/contract/states';
import { stripAnsi } from '../../lib/ansi.ts';
import { countElements } from './part.ts';

export interface LogLine {
  text: string;
  severity?: Severity;
  /** When it was written, where that is known. */
  at?: string;
}

/**
 * A line of a log view. Of most lines nobody sees more than that there are so many: what is made of one waits to be
 * asked for.
 */
export class HeldLine implements LogLine {
  readonly text: string;
  readonly severity?: Severity;
  readonly at?: string;
  #plain: string | null = null;
  #elements = 0;

  constructor({ text, severity, at }: LogLine) {
    this.text = text;
    if (severity !== undefined) this.severity = severity;
    if (at !== undefined) this.at = at;
  }

  /** As it is read: without colours and controls. */
  get plain(): string {
    return (this.#plain ??= stripAnsi(this.text));
  }

  /** How many it makes in the page, about. */
  get elements(): number {
    return (this.#elements ||= countElements(this.text, this.plain));
  }
}
