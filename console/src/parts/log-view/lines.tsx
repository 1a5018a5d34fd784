import './ansi.css';
import { type CSSProperties, Fragment, memo, type MouseEvent } from 'react';
import { type AnsiStyle, parseAnsi } from '../../lib/ansi.ts';
import { ansiLook } from '../../lib/ansi-look.ts';
import type { LogBuffer } from './buffer.ts';
import { type Cell, cellsOf } from './cells.ts';
import type { HeldLine } from './held-line.ts';
import { isOfPlatform } from './line-styles.ts';
import { formatLineTime } from './line-time.ts';
import { isHeavy, type LinePart, partOf } from './part.ts';
import { type Piece, piecesOf } from './pieces.ts';
import { type Columns, ROW_PX, type Shown } from './shown.ts';
import type { LineMarks } from './use-marks.ts';

interface LogLinesProps {
  log: LogBuffer;
  shown: Shown;
  /** After how many columns lines are wrapped; null: they are not, and these are near the sight. */
  columns: number | null;
  near: Columns;
  columnsDrawn: (text: string) => number;
  query: string;
  /** The match that was gone to. */
  current: number | null;
  marks: LineMarks;
  isNumbered: boolean;
  isDated: boolean;
  trouble: string | null;
}

export function LogLines({ log, shown, columns, near, columnsDrawn, query, marks, ...rest }: LogLinesProps) {
  const { current, isNumbered, isDated, trouble } = rest;
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
            <LineText
              {...{ line, query, columns, columnsDrawn }}
              styleBefore={log.styleBefore(shown.first + index)}
              {...(isHeavy(line, query) ? (columns === null ? near : rowsOfLine(shown, index)) : everything)}
            />
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

const everything: Columns = { from: 0, to: Number.POSITIVE_INFINITY };

function rowsOfLine({ first, last, firstRow, endRow }: Shown, index: number): Columns {
  return { from: index === 0 ? firstRow : 0, to: first + index === last - 1 ? endRow : everything.to };
}

interface LineTextProps extends Pick<LogLinesProps, 'query' | 'columns' | 'columnsDrawn'> {
  line: HeldLine;
  /** What lines before it have left on. */
  styleBefore: AnsiStyle | null;
  from: number;
  to: number;
}

const LineText = memo(function LineText({ line, styleBefore, query, columnsDrawn, ...near }: LineTextProps) {
  const part = partOf(line.plain, near);
  const pieces = piecesOf(parseAnsi(line.text, styleBefore), query, part);
  return (
    <span className="log-text" style={roomOf(part)}>
      {pieces.map((piece, index) => (
        // Pieces of a line have no name but their place.
        // eslint-disable-next-line react/no-array-index-key
        <Fragment key={index}>{shownPiece(piece, columnsDrawn)}</Fragment>
      ))}
      {pieces.length === 0 && '\u200B'}
    </span>
  );
});

function roomOf({ columnsBefore, rowsBefore, rowsAfter }: LinePart): CSSProperties | undefined {
  if (columnsBefore > 0) return { paddingInlineStart: `${columnsBefore}ch` };
  return rowsBefore + rowsAfter > 0 ? { paddingBlock: `${rowsBefore * ROW_PX}px ${rowsAfter * ROW_PX}px` } : undefined;
}

function shownPiece({ text, style, isFound }: Piece, columnsDrawn: LogLinesProps['columnsDrawn']) {
  const shown = cellsOf(text).map((cell, index) =>
    typeof cell === 'string' ? (
      cell
    ) : (
      // Cells have no name but their place.
      // eslint-disable-next-line react/no-array-index-key
      <span key={index} className="log-cell" style={styleOfCell(cell, columnsDrawn)}>
        {cell.text}
      </span>
    ),
  );
  if (isFound) return <mark>{shown}</mark>;
  return style ? <span {...ansiLook(style)}>{shown}</span> : shown;
}

/** Several letters are spread or drawn together, so that each stands where its columns are. */
function styleOfCell({ text, columns, letters }: Cell, columnsDrawn: LogLinesProps['columnsDrawn']): CSSProperties {
  const width = `${columns}ch`;
  const spacing = letters > 1 ? ((columns - columnsDrawn(text)) / letters).toFixed(4) : '0.0000';
  return Number(spacing) === 0 ? { width } : { width, letterSpacing: `${spacing}ch` };
}
