import { Section } from '../../../parts/section.tsx';
import { Time } from '../../../parts/time.tsx';
import type { QueryEntry } from './query-memory.ts';
import { showMarks } from '../../../lib/visible-name.ts';

interface QueryHistoryProps {
  entries: readonly QueryEntry[];
  onChoose: (statement: string) => void;
}

export function QueryHistory({ entries, onChoose }: QueryHistoryProps) {
  if (entries.length === 0) return null;
  return (
    <Section title="Run before" about="In this window, until it is closed or loaded again.">
      <ul className="rows" aria-label="Run before">
        {entries.map(({ statement, at, outcome, isFailure }) => (
          <li key={statement} className="row">
            <div className="row-main">
              <button type="button" className="past-statement mono" onClick={() => onChoose(statement)}>
                {showMarks(statement)}
              </button>
              <p className={isFailure ? 'meta past-failure' : 'meta'}>
                {outcome} · <Time at={at} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
