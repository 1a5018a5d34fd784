import './log-view.css';
import { type CSSProperties, type ReactNode, useRef, useState } from 'react';
import { useNow } from '../../lib/use-now.ts';
import type { LogBuffer } from './buffer.ts';
import { columnsDrawn } from './columns-drawn.ts';
import { areDated } from './line-time.ts';
import { LogLines } from './lines.tsx';
import { ROW_PX } from './shown.ts';
import { LogToolbar } from './toolbar.tsx';
import { useLineMarks } from './use-marks.ts';
import { useLogScroll } from './use-scroll.ts';
import { useLogSearch } from './use-search.ts';
import { useTopInPage } from './use-top-in-page.ts';

interface LogViewProps {
  /** What it is, for those who do not see it: "Build log". */
  label: string;
  log: LogBuffer;
  /** Shown where there are no lines. */
  empty: ReactNode;
  /** Lines have numbers, and an address each; not for logs whose lines come and go. */
  isNumbered?: boolean;
  /** How many lines it has in all; null while others may come. */
  lineCount?: number | null;
  /** The page looks for lines itself: this is marked in them, and there is no second search. */
  filter?: string;
  /** The line in which the platform says what went wrong. */
  trouble?: string | null;
  isWrappedAtFirst?: boolean;
  /** Further controls of the page's own, at the beginning of the bar. */
  children?: ReactNode;
  /** Somebody has scrolled to the oldest line. */
  onReachStart?: () => void;
}

/** A log of any length: only the lines in sight are in the page. It follows the end unless somebody scrolls up. */
export function LogView({ label, log, empty, isNumbered = true, children, onReachStart, ...rest }: LogViewProps) {
  const { filter, trouble = null, isWrappedAtFirst = false, lineCount = null } = rest;
  const [isWrapped, setWrapped] = useState(isWrappedAtFirst);
  const isDated = areDated(log.lines, useNow());
  const viewport = useRef<HTMLDivElement>(null);
  const probe = useRef<HTMLSpanElement>(null);
  useTopInPage(viewport);
  const scroll = useLogScroll({ viewport, probe, log, isWrapped, isDated, onReachStart });
  const { sought, ...search } = useLogSearch({ log, goTo: scroll.goTo, firstInSight: scroll.firstInSight });
  const marks = useLineMarks({ isNumbered, nextNumber: log.nextNumber, lineCount, onTarget: scroll.goTo });
  const longest = log.longestWith(scroll.shown.first, scroll.shown.last);
  const width = `calc(${Math.max(longest, 1)}ch + var(--log-gutter) + 2rem)`;
  const styleOfAll = {
    height: scroll.rows.total * ROW_PX,
    minWidth: isWrapped ? undefined : width,
    '--log-columns': scroll.columns,
  } as CSSProperties;
  return (
    <section className="log-view" aria-label={label}>
      <LogToolbar
        {...{
          ...search,
          log,
          isWrapped,
          isNumbered,
          lineCount,
          isBeyond: marks.isBeyond,
          hasSearch: filter === undefined,
          firstInSight: scroll.firstInSight,
        }}
        range={marks.range}
        onWrap={setWrapped}
      >
        {children}
      </LogToolbar>
      {/* A region that scrolls must be within the keyboard's reach. */}
      <div
        ref={viewport}
        className={classOf({ isWrapped, isTimed: !isNumbered, isDated })}
        role="group"
        aria-label={`Lines of the ${label.toLowerCase()}`}
        tabIndex={0}
        onScroll={scroll.onScroll}
      >
        <span ref={probe} className="log-probe" aria-hidden="true">
          {'0'.repeat(100)}
        </span>
        {log.lines.length === 0 && <p className="log-empty">{empty}</p>}
        <div className="log-all" style={styleOfAll}>
          <LogLines
            {...{ log, query: filter ?? sought, current: search.current, marks, isNumbered, isDated, trouble }}
            {...{ columnsDrawn, shown: scroll.shown, near: scroll.near, columns: isWrapped ? scroll.columns : null }}
          />
        </div>
      </div>
      {!scroll.isFollowing && (
        <button type="button" className="button log-to-end" onClick={scroll.goToEnd}>
          Jump to the end
        </button>
      )}
    </section>
  );
}

/** Those without numbers have a time. */
function classOf(is: { isWrapped: boolean; isTimed: boolean; isDated: boolean }): string {
  const classes = [is.isWrapped && 'log-wrapped', is.isTimed && 'log-timed', is.isDated && 'log-dated'];
  return ['log-scroll', ...classes].filter(Boolean).join(' ');
}
