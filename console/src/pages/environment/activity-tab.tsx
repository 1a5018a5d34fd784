import '../activity/activity.css';
import { useState } from 'react';
import { useCall } from '../../lib/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Section } from '../../parts/section.tsx';
import { Time } from '../../parts/time.tsx';
import { useMember } from '../../shell/member-context.ts';
import { describeAction } from '../activity/describe-activity.ts';
import type { TabProps } from './environment-page.tsx';
import { Name } from '../../parts/name.tsx';

const PAGE_SIZE = 25;
/** As many as one answer holds. */
const MOST = 100;
const REFRESH_MS = 10_000;

export function ActivityTab({ environment }: TabProps) {
  const targetOrganisationId = useMember().organisation.id;
  const [limit, setLimit] = useState(PAGE_SIZE);
  const body = { targetOrganisationId, environmentId: environment.id, limit };
  const entries = useCall('environments.activity', { body }, { refreshMs: REFRESH_MS });
  return (
    <Section
      title="Activity"
      about="What was changed here, by whom and when. The values of variables and passwords are not part of it."
    >
      <Loading of={entries}>
        {(list) => (
          <>
            {list.length === 0 && <p className="about">Nothing was done yet.</p>}
            <ul className="rows" aria-label="Activity">
              {list.map(({ id, action, actor_email, created_at }) => (
                <li key={id} className="row activity-row">
                  <strong className="row-main">{describeAction(action)}</strong>
                  <span className="meta break">
                    <Name of={actor_email} />
                  </span>
                  <span className="meta activity-time">
                    <Time at={created_at} />
                  </span>
                </li>
              ))}
            </ul>
            {list.length >= limit && limit < MOST && (
              <div className="actions">
                <Button onClick={() => setLimit(Math.min(MOST, limit + PAGE_SIZE))}>Show older ones</Button>
              </div>
            )}
          </>
        )}
      </Loading>
    </Section>
  );
}
