import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { LogBuffer } from './buffer.ts';
import { LogRows } from './rows.ts';

/** The height of `.log-line`. */
export const ROW_PX = 20;
/** Rows beyond the edges, so that a quick scroll finds them there. */
const MORE_ROWS = 20;
const NEAR_START_PX = 200;

export interface Shown {
  /** Indexes of lines; the last is not among them. */
  first: number;
  last: number;
  /** How far down the first is. */
  topPx: number;
}

interface ScrollOptions {
  viewport: RefObject<HTMLDivElement | null>;
  /** A hundred letters, to be measured; they begin where the text of lines does. */
  probe: RefObject<HTMLSpanElement | null>;
  log: LogBuffer;
  isWrapped: boolean;
  onReachStart?: (() => void) | undefined;
}

/** Which lines are in sight, and how to get others there. */
export function useLogScroll({ viewport, probe, log, isWrapped, onReachStart }: ScrollOptions) {
  useSyncExternalStore(log.subscribe, log.version);
  const [topPx, setTopPx] = useState(0);
  const [isFollowing, setFollowing] = useState(true);
  const box = useBox(viewport, probe);
  const columns = isWrapped ? box.columns : null;
  const rows = useMemo(() => new LogRows(columns), [columns]).update(log);
  // What the scrolling said last counts, also before it is drawn.
  const follows = useRef(true);
  const keepPlace = useKeptPlace({ viewport, log, rows, follows });
  const follow = useCallback((does: boolean) => {
    follows.current = does;
    setFollowing(does);
  }, []);

  const onScroll = () => {
    const element = viewport.current!;
    setTopPx(element.scrollTop);
    follow(isAtEnd(element));
    keepPlace();
    if (element.scrollTop < NEAR_START_PX) onReachStart?.();
  };
  const goToEnd = useCallback(() => {
    follow(true);
    viewport.current!.scrollTo({ top: viewport.current!.scrollHeight });
    viewport.current!.focus({ preventScroll: true });
  }, [viewport, follow]);
  const goTo = useCallback(
    (number: number) => {
      const element = viewport.current!;
      const index = number - log.firstNumber;
      element.scrollTo({ top: rows.before(index) * ROW_PX - element.clientHeight / 2 + ROW_PX });
      follow(isAtEnd(element));
      element.scrollIntoView({ block: 'nearest' });
    },
    [viewport, log, rows, follow],
  );
  const firstInSight = () => log.firstNumber + rows.lineAt(Math.floor((viewport.current?.scrollTop ?? 0) / ROW_PX));
  const shown = shownOf(rows, { topPx, heightPx: box.heightPx, count: log.lines.length });
  return { rows, columns: box.columns, shown, isFollowing, onScroll, goTo, goToEnd, firstInSight };
}

function isAtEnd({ scrollTop, clientHeight, scrollHeight }: HTMLElement): boolean {
  return scrollTop + clientHeight >= scrollHeight - ROW_PX / 2;
}

function shownOf(rows: LogRows, at: { topPx: number; heightPx: number; count: number }): Shown {
  if (at.count === 0) return { first: 0, last: 0, topPx: 0 };
  const row = Math.floor(at.topPx / ROW_PX);
  const first = rows.lineAt(row - MORE_ROWS);
  const last = rows.lineAt(row + Math.ceil(at.heightPx / ROW_PX) + MORE_ROWS) + 1;
  return { first, last, topPx: rows.before(first) * ROW_PX };
}

/** The viewport's height, and how many letters go into its width. */
function useBox(viewport: RefObject<HTMLDivElement | null>, probe: RefObject<HTMLSpanElement | null>) {
  const [box, setBox] = useState({ heightPx: 600, columns: 80 });
  useLayoutEffect(() => {
    const element = viewport.current!;
    const measure = () => {
      const letterPx = probe.current!.getBoundingClientRect().width / 100;
      const gutterPx = probe.current!.offsetLeft;
      const columns = Math.max(10, Math.floor((element.clientWidth - gutterPx - ROW_PX) / letterPx));
      const heightPx = element.clientHeight;
      setBox((before) => (before.heightPx === heightPx && before.columns === columns ? before : { heightPx, columns }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [viewport, probe]);
  return box;
}

interface KeptPlaceOptions {
  viewport: RefObject<HTMLDivElement | null>;
  log: LogBuffer;
  rows: LogRows;
  follows: RefObject<boolean>;
}

/** The line at the top stays there when others come before it or wrap; at the end, the end does. Answers how to note it. */
function useKeptPlace({ viewport, log, rows, follows }: KeptPlaceOptions): () => void {
  const place = useRef({ number: 1, offsetPx: 0 });
  const counted = useRef({ generation: log.generation, rows });
  useLayoutEffect(() => {
    const element = viewport.current!;
    const { generation } = log;
    const isMoved = counted.current.generation !== generation || counted.current.rows !== rows;
    counted.current = { generation, rows };
    if (follows.current) element.scrollTo({ top: element.scrollHeight });
    else if (isMoved) {
      const index = Math.max(0, place.current.number - log.firstNumber);
      element.scrollTo({ top: rows.before(index) * ROW_PX + place.current.offsetPx });
    }
  });
  return () => {
    const { scrollTop } = viewport.current!;
    const index = rows.lineAt(Math.floor(scrollTop / ROW_PX));
    place.current = { number: log.firstNumber + index, offsetPx: scrollTop - rows.before(index) * ROW_PX };
  };
}
