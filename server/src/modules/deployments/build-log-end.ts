import type { UnreadLine } from '../../build/builder.ts';

export interface EndLimits {
  lines: number;
  bytes: number;
}

/** The last lines of what is too long to be stored, as many as there is room for. */
export interface BuildLogEnd {
  readonly isEmpty: boolean;
  hold(line: UnreadLine): void;
  /** What is held, and how many lines were before it. Nothing is held then. */
  take(): { lines: UnreadLine[]; leftOut: number };
}

export function createBuildLogEnd(limits: EndLimits): BuildLogEnd {
  let held: UnreadLine[] = [];
  let [first, bytes] = [0, 0];
  let leftOut = 0;
  const dropFirst = (): void => {
    bytes -= sizeOf(held[first]!);
    held[first] = GONE;
    first += 1;
    leftOut += 1;
    // Now and then, so that not every line moves all the others.
    if (first > limits.lines) [held, first] = [held.slice(first), 0];
  };
  const isTooMuch = (): boolean => {
    const count = held.length - first;
    return count > limits.lines || (bytes > limits.bytes && count > 1);
  };
  return {
    get isEmpty() {
      return held.length === 0;
    },
    hold(line) {
      held.push(line);
      bytes += sizeOf(line);
      while (isTooMuch()) dropFirst();
    },
    take() {
      const taken = { lines: held.slice(first), leftOut };
      [held, first, bytes, leftOut] = [[], 0, 0, 0];
      return taken;
    },
  };
}

function sizeOf({ bytes }: UnreadLine): number {
  return bytes + 1;
}

/** In the place of one that is not held any more. */
const GONE: UnreadLine = { bytes: 0, read: () => '' };
