import type { ReactNode } from 'react';
import type { LogBuffer } from './log-view-buffer.ts';
import { CopyButton } from './log-view-copy.tsx';
import type { LineRange } from './log-view-marks.ts';
import { SearchBox, type SearchBoxProps } from './log-view-search-box.tsx';

interface LogToolbarProps extends SearchBoxProps {
  log: LogBuffer;
  range: LineRange | null;
  isWrapped: boolean;
  onWrap: (isWrapped: boolean) => void;
  children?: ReactNode;
}

export function LogToolbar({ log, range, isWrapped, onWrap, children, ...search }: LogToolbarProps) {
  return (
    <div className="toolbar log-bar">
      {children}
      <SearchBox {...search} />
      <label className="check">
        <input type="checkbox" checked={isWrapped} onChange={(event) => onWrap(event.target.checked)} />
        Wrap lines
      </label>
      <CopyButton log={log} range={range} />
    </div>
  );
}
