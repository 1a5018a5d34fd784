import { cutMiddle } from '../lib/cut-middle.ts';
import { showMarks } from '../lib/visible-name.ts';

interface NameProps {
  of: string;
  /** How many letters there is room for; all of it where it is left out. */
  room?: number;
}

/**
 * A name that somebody gave, wherever it is read: it turns nothing around it, whatever is in it, and where it is too
 * long its two ends are shown and the whole when one points at it.
 */
export function Name({ of, room }: NameProps) {
  const shown = showMarks(of);
  const cut = room === undefined ? shown : cutMiddle(shown, room);
  return <bdi title={cut === shown ? undefined : shown}>{cut}</bdi>;
}
