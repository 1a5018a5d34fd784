import { useEffect, useState } from 'react';
import { copyText } from '../../lib/copy-text.ts';
import { Button } from '../button.tsx';
import type { LogBuffer } from './buffer.ts';
import { printLines } from './line-time.ts';
import type { LineRange } from './marks.ts';

/** The marked lines, or all. */
export function CopyButton({ log, range }: { log: LogBuffer; range: LineRange | null }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    const from = range ? Math.max(0, range.from - log.firstNumber) : 0;
    const lines = range ? log.lines.slice(from, range.to - log.firstNumber + 1) : log.lines;
    setCopied(await copyText(printLines(lines)));
  };
  return (
    <>
      <Button onClick={() => void copy()} disabled={log.lines.length === 0}>
        {isCopied ? 'Copied' : nameOf(range)}
      </Button>
      <span className="visually-hidden" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </>
  );
}

function nameOf(range: LineRange | null): string {
  if (!range) return 'Copy all';
  return range.from === range.to ? `Copy line ${range.from}` : `Copy lines ${range.from}–${range.to}`;
}
