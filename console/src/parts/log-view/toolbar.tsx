import type { ReactNode } from 'react';
import type { LogBuffer } from './buffer.ts';
import { CopyButton } from './copy.tsx';
import type { LineRange } from './marks.ts';
import { SearchBox, type SearchBoxProps } from './search-box.tsx';

interface LogToolbarProps extends SearchBoxProps {
  log: LogBuffer;
  range: LineRange | null;
  isWrapped: boolean;
  hasSearch: boolean;
  onWrap: (isWrapped: boolean) => void;
  children?: ReactNode;
}

export function LogToolbar({ log, range, isWrapped, hasSearch, onWrap, children, ...search }: LogToolbarProps) {
  return (
    <div className="toolbar log-bar">
      {children}
      {hasSearch ? <SearchBox {...search} /> : <span className="grows" />}
      <label className="check">
        <input type="checkbox" checked={isWrapped} onChange={(event) => onWrap(event.target.checked)} />
        Wrap lines
      </label>
      {range && range.from < log.nextNumber && <CopyButton key="range" log={log} range={range} />}
      <CopyButton log={log} range={null} />
    </div>
  );
}
