import './sparkline.css';
import { formatCount } from '../../lib/format-count.ts';
import { useNow } from '../../lib/use-now.ts';
import { type SparkPoint, sparklinePath, sumOf } from './path.ts';

const size = { width: 120, height: 28 };

/** The requests of the last hour: a line to see, and how many for whoever does not. */
export function Sparkline({ points, hasCount = true }: { points: readonly SparkPoint[]; hasCount?: boolean }) {
  const path = sparklinePath(points, size, useNow());
  const requests = sumOf(points);
  return (
    <span className="sparkline">
      <svg viewBox={`0 -2 ${size.width} ${size.height + 4}`} preserveAspectRatio="none" aria-hidden="true">
        <path className="sparkline-base" d={`M0 ${size.height}H${size.width}`} />
        {path && <path d={path} />}
      </svg>
      <span className={hasCount ? 'meta' : 'visually-hidden'}>
        {formatCount(requests)} request{requests === 1 ? '' : 's'}
        <span className="visually-hidden sparkline-when"> in the last hour</span>
      </span>
    </span>
  );
}
