import './segments.css';
import { type MetricRange, metricRanges } from '@lilac/contract/states';
import { useQuery } from '../lib/router.tsx';
import { Button } from './button.tsx';

const names: Record<MetricRange, string> = { '1h': '1 hour', '6h': '6 hours', '24h': '24 hours', '7d': '7 days' };

/** The range that the address asks for, and how to ask for another. */
export function useRange(): [range: MetricRange, choose: (range: MetricRange) => void] {
  const [asked, setAsked] = useQuery('range');
  const range = metricRanges.find((each) => each === asked) ?? '1h';
  return [range, (next) => setAsked(next === '1h' ? '' : next)];
}

interface RangeButtonsProps {
  range: MetricRange;
  onChoose: (range: MetricRange) => void;
}

/** How far back plots go. */
export function RangeButtons({ range, onChoose }: RangeButtonsProps) {
  return (
    <div className="toolbar">
      <div className="segments" role="group" aria-label="Range">
        {metricRanges.map((each) => (
          <Button key={each} aria-pressed={each === range} onClick={() => onChoose(each)}>
            {names[each]}
          </Button>
        ))}
      </div>
    </div>
  );
}
