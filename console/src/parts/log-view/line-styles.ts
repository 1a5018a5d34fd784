import { type AnsiStyle, styleAfter } from '../../lib/ansi.ts';
import type { LogLine } from './held-line.ts';

/**
 * A colour that is left on for longer than this is forgotten: whoever looks at the end of a log does not wait for its
 * beginning.
 */
const LINES_BACK = 1000;

/** What lines leave on for those after them, found out for those that are drawn. */
export class LineStyles {
  /** By index; undefined where nobody asked. */
  #before: (AnsiStyle | null | undefined)[] = [];

  /** What the lines before this one have left on. */
  before(lines: readonly LogLine[], index: number): AnsiStyle | null {
    let at = this.#startFor(lines, index);
    let style = this.#before[at] ?? null;
    for (; at < index; at++) {
      style = isOfPlatform(lines[at + 1]!.text) ? null : styleAfter(lines[at]!.text, style);
      this.#before[at + 1] = style;
    }
    return style;
  }

  /** The oldest go; what they have left on stays. */
  drop(lines: readonly LogLine[], count: number): void {
    if (count < lines.length) this.before(lines, count);
    this.#before = this.#before.slice(count);
  }

  /** Other lines are before these. */
  forget(): void {
    this.#before = [];
  }

  /** The nearest line, from this one back, of which it is known what was on before it, or does not matter. */
  #startFor(lines: readonly LogLine[], index: number): number {
    const farthest = Math.max(0, index - LINES_BACK);
    let at = index;
    while (at > farthest && this.#before[at] === undefined) {
      if (isOfPlatform(lines[at]!.text)) return at;
      at--;
      if (endsAll(lines[at]!.text)) return at;
    }
    return at;
  }
}

const RESETS = [`${String.fromCodePoint(0x1b)}[0m`, `${String.fromCodePoint(0x1b)}[m`];

/** Whatever was on before such a line is off after it. */
function endsAll(text: string): boolean {
  return RESETS.some((reset) => text.includes(reset));
}

/** What the platform says of itself in a build log begins so. A colour that a command leaves on ends there. */
export function isOfPlatform(text: string): boolean {
  return text.startsWith('==> ');
}
