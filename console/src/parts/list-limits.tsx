import { listLimits } from '../lib/list-limits.ts';

/** Under a list that a repository host has given: what is wrong with it, if anything. */
export function ListLimits({ headers }: { headers: Headers | undefined }) {
  return listLimits(headers).map((sentence) => (
    <p key={sentence} className="hint" role="status">
      {sentence}
    </p>
  ));
}
