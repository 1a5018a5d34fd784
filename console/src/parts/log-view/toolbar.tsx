import type { ReactNode } from 'react';
import type { LogBuffer } from './buffer.ts';
import { CopyButton } from './copy.tsx';
import type { LineRange } from './marks.ts';
import { SearchBox, type SearchBoxProps } from './search-box.tsx';

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
