import { useEffect, useRef, useState } from 'react';
import { extendRange, type LineRange, readLineHash, withinLog, writeLineHash } from './marks.ts';

interface MarksOptions {
  isNumbered: boolean;
  /** The number of the line that has not come yet. */
  nextNumber: number;
  /** How many lines there are; null while others may come. */
  lineCount: number | null;
  /** The marked line is to be shown. */
  onTarget: (number: number) => void;
}

export interface LineMarks {
  range: LineRange | null;
  /** The address points at lines that the log does not have. */
  isBeyond: boolean;
  /** By a click on its number; with shift up to it. */
  mark: (number: number, isExtending: boolean) => void;
  clear: () => void;
}

/** The marked lines are in the address, so that it can be handed on: opened, it leads to them. */
export function useLineMarks({ isNumbered, nextNumber, lineCount, onTarget }: MarksOptions): LineMarks {
  const [asked, setRange] = useState(() => (isNumbered ? readLineHash(location.hash) : null));
  // Lines may come only later.
  const awaited = useRef(asked?.from ?? null);
  useEffect(() => {
    if (!isNumbered) return undefined;
    const read = () => {
      const next = readLineHash(location.hash);
      setRange(next);
      awaited.current = next?.from ?? null;
      if (next && next.from < nextNumber) {
        awaited.current = null;
        onTarget(next.from);
      }
    };
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, [isNumbered, nextNumber, onTarget]);
  useEffect(() => {
    const target = awaited.current;
    if (target === null || target >= nextNumber) return;
    awaited.current = null;
    onTarget(target);
  }, [nextNumber, onTarget]);
  const set = (next: LineRange | null) => {
    setRange(next);
    history.replaceState(history.state, '', location.pathname + location.search + (next ? writeLineHash(next) : ''));
  };
  const range = asked && withinLog(asked, lineCount);
  return {
    range,
    isBeyond: asked !== null && range === null,
    mark: (number, isExtending) => set(extendRange(isExtending ? range : null, number)),
    clear: () => set(null),
  };
}

/** Also where the address says so already: whoever asks again has scrolled away. */
export function goToHash(hash: string): void {
  history.replaceState(history.state, '', location.pathname + location.search + hash);
  dispatchEvent(new Event('hashchange'));
}
