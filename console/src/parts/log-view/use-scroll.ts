import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import type { LogBuffer } from './buffer.ts';
import { type Held, type KeptPlace, placeAt, topOfPlace } from './kept-place.ts';
import { LogRows } from './rows.ts';
import { columnsNear, ROW_PX, shownOf, STEP_COLUMNS } from './shown.ts';

const NEAR_START_PX = 200;

interface ScrollOptions {
  viewport: RefObject<HTMLDivElement | null>;
  /** A hundred letters, to be measured; they begin where the text of lines does. */
  probe: RefObject<HTMLSpanElement | null>;
  log: LogBuffer;
  isWrapped: boolean;
  /** The times before the lines take more room. */
  isDated: boolean;
  onReachStart?: (() => void) | undefined;
}

/** Which lines are in sight, and how to get others there. */
export function useLogScroll({ viewport, probe, log, isWrapped, isDated, onReachStart }: ScrollOptions) {
  useSyncExternalStore(log.subscribe, log.version);
  const [topPx, setTopPx] = useState(0);
  const [step, setStep] = useState(0);
  const [isFollowing, setFollowing] = useState(true);
  const box = useBox({ viewport, probe, isDated });
  const columns = isWrapped ? box.columns : null;
  const rows = useMemo(() => new LogRows(columns), [columns]).update(log);
  // What the scrolling said last counts, also before it is drawn.
  const follows = useRef(true);
  const { keepPlace, drawn } = useKeptPlace({ viewport, log, rows, follows, onMoved: setTopPx });
  const follow = useCallback((does: boolean) => {
    follows.current = does;
    setFollowing(does);
  }, []);

  const onScroll = () => {
    const element = viewport.current!;
    keepPlace(element.scrollTop);
    // Drawn before the picture is: else whoever drags far sees a picture without lines first.
    flushSync(() => {
      setTopPx(element.scrollTop);
      setStep(Math.floor(element.scrollLeft / (box.letterPx * STEP_COLUMNS)));
      follow(isAtEnd(element));
    });
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
      const index = number - drawn.current.firstNumber;
      element.scrollTo({ top: rows.before(index) * ROW_PX - element.clientHeight / 2 + ROW_PX });
      // The browser tells of the scrolling later, and other lines may be drawn before.
      keepPlace(element.scrollTop);
      setTopPx(element.scrollTop);
      follow(isAtEnd(element));
      element.scrollIntoView({ block: 'nearest' });
    },
    [viewport, drawn, rows, keepPlace, follow],
  );
  const firstInSight = () => placeAt(viewport.current?.scrollTop ?? 0, drawn.current, rows).number;
  const shown = shownOf(rows, { topPx, heightPx: box.heightPx, isFollowing });
  const near = columnsNear(step, box.columns);
  return { rows, columns: box.columns, shown, near, isFollowing, onScroll, goTo, goToEnd, firstInSight };
}

function isAtEnd({ scrollTop, clientHeight, scrollHeight }: HTMLElement): boolean {
  return scrollTop + clientHeight >= scrollHeight - ROW_PX / 2;
}

/** The viewport's height, and how many letters go into its width. */
function useBox({ viewport, probe, isDated }: Pick<ScrollOptions, 'viewport' | 'probe' | 'isDated'>) {
  const [box, setBox] = useState({ heightPx: 600, columns: 80, letterPx: 8 });
  useLayoutEffect(() => {
    const element = viewport.current!;
    const measure = () => {
      const letterPx = probe.current!.getBoundingClientRect().width / 100;
      const gutterPx = probe.current!.offsetLeft;
      const columns = Math.max(10, Math.floor((element.clientWidth - gutterPx - ROW_PX) / letterPx));
      const heightPx = element.clientHeight;
      setBox((before) => {
        const isSame = before.heightPx === heightPx && before.columns === columns && before.letterPx === letterPx;
        return isSame ? before : { heightPx, columns, letterPx };
      });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
    // Where the text begins is not seen by the observer.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [viewport, probe, isDated]);
  return box;
}

interface KeptPlaceOptions {
  viewport: RefObject<HTMLDivElement | null>;
  log: LogBuffer;
  rows: LogRows;
  follows: RefObject<boolean>;
  /** Told where it is scrolled to, before that is drawn. */
  onMoved: (topPx: number) => void;
}

/**
 * The line at the top stays there when others come before it or wrap; at the end, the end does. Answers how to note it,
 * and in what.
 */
function useKeptPlace({ viewport, log, rows, follows, onMoved }: KeptPlaceOptions) {
  const drawn = useRef<Held>(log);
  const place = useRef<KeptPlace>({ line: undefined, number: 1, offsetPx: 0 });
  const counted = useRef({ generation: log.generation, rows });
  useLayoutEffect(() => {
    const element = viewport.current!;
    const { generation, lines, firstNumber } = log;
    drawn.current = { lines, firstNumber };
    const isMoved = counted.current.generation !== generation || counted.current.rows !== rows;
    counted.current = { generation, rows };
    if (follows.current) element.scrollTo({ top: element.scrollHeight });
    else if (isMoved) {
      element.scrollTo({ top: topOfPlace(place.current, log, rows) });
      onMoved(element.scrollTop);
    }
  });
  const keepPlace = useCallback(
    (scrollTop: number) => {
      place.current = placeAt(scrollTop, drawn.current, rows);
    },
    [rows],
  );
  return { keepPlace, drawn };
}
