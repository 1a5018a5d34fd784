import { formatAbsolute, formatRelative } from '../lib/format-time.ts';
import { useNow } from '../lib/use-now.ts';

/** A moment as people say it; the exact one on hovering. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatAbsolute(at)}>
      {formatRelative(at, useNow())}
    </time>
  );
}
