import type { Dropped } from '../lib/dropped-file.ts';
import { showMarks } from '../lib/visible-name.ts';

/** That what is sent is not quite the zip that was chosen. */
export function UnwrappedNotice({ dropped }: { dropped: Dropped | null }) {
  if (!dropped || !('archive' in dropped) || dropped.unwrapped === undefined) return null;
  return (
    <p className="hint break" role="status">
      The folder “<bdi>{showMarks(dropped.unwrapped)}</bdi>” inside was taken as the root.
    </p>
  );
}
