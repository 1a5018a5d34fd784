import type { VariableChanges, Variables } from '@lilac/contract/variable-changes';
import { useState } from 'react';
import { Badge } from '../badge.tsx';
import { Button } from '../button.tsx';
import { describeValue } from './rules.ts';

interface ChangeListProps {
  changes: VariableChanges;
  before: Variables;
  after: Variables;
}

/** What saving would do, variable by variable. */
export function ChangeList({ changes: { added, changed, removed }, before, after }: ChangeListProps) {
  const [isShown, setShown] = useState(false);
  const say = (value: string) => describeValue(value, isShown);
  return (
    <>
      <dl className="variable-changes" aria-label="Changes">
        {added.map((name) => (
          <Change key={name} tone="good" what="added" name={name} value={say(after[name]!)} />
        ))}
        {changed.map((name) => (
          <Change
            key={name}
            tone="warning"
            what="changed"
            name={name}
            value={`${say(before[name]!)}${isShown ? '\n' : ' '}→ ${say(after[name]!)}`}
          />
        ))}
        {removed.map((name) => (
          <Change key={name} tone="bad" what="removed" name={name} value={say(before[name]!)} />
        ))}
      </dl>
      <div className="actions">
        <Button look="quiet" onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide values' : 'Show values'}
        </Button>
      </div>
    </>
  );
}

interface ChangeProps {
  tone: 'good' | 'warning' | 'bad';
  what: string;
  name: string;
  value: string;
}

function Change({ tone, what, name, value }: ChangeProps) {
  return (
    <>
      <dt>
        <Badge tone={tone}>{what}</Badge>
      </dt>
      <dd>
        <code>{name}</code>
        <code className="value">{value}</code>
      </dd>
    </>
  );
}
