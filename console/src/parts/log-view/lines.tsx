import './ansi.css';
import { Fragment, memo, type MouseEvent } from 'react';
import { parseAnsi } from '../../lib/ansi.ts';
import { ansiLook } from '../../lib/ansi-look.ts';
import { type HeldLine, isOfPlatform, type LogBuffer } from './buffer.ts';
import { type Cell, cellsOf } from './cells.ts';
import { formatLineTime } from './line-time.ts';
import { type Piece, piecesOf } from './pieces.ts';
import type { Shown } from './shown.ts';
import type { LineMarks } from './use-marks.ts';

interface LogLinesProps {
  log: LogBuffer;
  shown: Shown;
  query: string;
  /** The match that was gone to. */
  current: number | null;
  marks: LineMarks;
  isNumbered: boolean;
  isDated: boolean;
  trouble: string | null;
}

export function LogLines({ log, shown, query, current, marks, isNumbered, isDated, trouble }: LogLinesProps) {
  const follow = (event: MouseEvent, number: number) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    marks.mark(number, event.shiftKey);
  };
  const { range } = marks;
  return (
    <div className="log-shown" style={{ top: shown.topPx }}>
      {log.lines.slice(shown.first, shown.last).map((line, index) => {
        const number = log.firstNumber + shown.first + index;
        const isMarked = range !== null && number >= range.from && number <= range.to;
        return (
          <div
            key={number}
            className={classOf(line, { isMarked, isCurrent: number === current, isTrouble: line.plain === trouble })}
          >
            {isNumbered && (
              <a
                href={`#L${number}`}
                className="log-number"
                tabIndex={-1}
                aria-label={`Line ${number}`}
                onClick={(event) => follow(event, number)}
              >
                {number}
              </a>
            )}
            {line.at && <LineTime at={line.at} isDated={isDated} />}
            <LineText line={line} query={query} />
          </div>
        );
      })}
    </div>
  );
}

interface LineState {
  isMarked: boolean;
  isCurrent: boolean;
  isTrouble: boolean;
}

function classOf({ severity, text }: HeldLine, is: LineState): string {
  const note = isOfPlatform(text) && (is.isTrouble ? 'log-trouble' : 'log-note');
  const classes = ['log-line', severity && `log-${severity.toLowerCase()}`, note];
  return [...classes, is.isMarked && 'log-marked', is.isCurrent && 'log-current'].filter(Boolean).join(' ');
}

function LineTime({ at, isDated }: { at: string; isDated: boolean }) {
  return (
    <time className="log-time" dateTime={at} title={at}>
      {formatLineTime(at, isDated)}
    </time>
  );
}

const LineText = memo(function LineText({ line, query }: { line: HeldLine; query: string }) {
  const pieces = piecesOf(parseAnsi(line.text, line.styleBefore), query);
  return (
    <span className="log-text">
      {pieces.map((piece, index) => (
        // Pieces of a line have no name but their place.
        // eslint-disable-next-line react/no-array-index-key
        <Fragment key={index}>{shownPiece(piece)}</Fragment>
      ))}
      {pieces.length === 0 && '\u200B'}
    </span>
  );
});

function shownPiece({ text, style, isFound }: Piece) {
  const shown = cellsOf(text).map(shownCell);
  if (isFound) return <mark>{shown}</mark>;
  return style ? <span {...ansiLook(style)}>{shown}</span> : shown;
}

function shownCell(cell: string | Cell, index: number) {
  if (typeof cell === 'string') return cell;
  return (
    // Cells have no name but their place.
    // eslint-disable-next-line react/no-array-index-key
    <span key={index} className="log-cell" style={{ width: `${cell.columns}ch` }}>
      {cell.text}
    </span>
  );
}
