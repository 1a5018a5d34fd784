import { useState } from 'react';
import { ALL_DEPLOYMENTS } from '../../lib/rollback.ts';
import { Link } from '../../lib/router.tsx';
import { useCall } from '../../lib/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Section } from '../../parts/section.tsx';
import { useMember } from '../../shell/member-context.ts';
import { ActivityRow } from '../activity/activity-row.tsx';
import { type ActivityEntry, nameTarget } from '../activity/describe-activity.ts';
import type { TabProps } from './environment-page.tsx';
import { newest, older } from './older-entries.ts';
import { useActivityTargets } from './use-activity-targets.ts';
import { Name } from '../../parts/name.tsx';

const REFRESH_MS = 20_000;

export function ActivityTab({ environment }: TabProps) {
  const targetOrganisationId = useMember().organisation.id;
  const [shown, setShown] = useState(newest);
  const body = { targetOrganisationId, environmentId: environment.id, ...shown };
  const entries = useCall('environments.activity', { body }, { refreshMs: REFRESH_MS });
  const deployments = useDeployments(environment.id);
  const targets = useActivityTargets(entries.data ?? [], REFRESH_MS);
  return (
    <Section
      title="Activity"
      about="What changed here, who did it and when. Passwords and the values of variables are never recorded."
    >
      <Loading of={entries}>
        {(list) => (
          <>
            {list.length === 0 && (
              <p className="about">{shown.offset === 0 ? 'Nothing has happened yet.' : 'There are no older ones.'}</p>
            )}
            <ul className="rows" aria-label="Activity">
              {list.map((entry) => (
                <ActivityRow key={entry.id} {...{ entry, deployments }}>
                  <Target environmentId={environment.id} of={targets.get(entry.id)} />
                </ActivityRow>
              ))}
            </ul>
            <div className="actions">
              {shown.offset > 0 && <Button onClick={() => setShown(newest)}>Back to the newest</Button>}
              {list.length >= shown.limit && <Button onClick={() => setShown(older)}>Show older ones</Button>}
            </div>
          </>
        )}
      </Loading>
    </Section>
  );
}

/** To name them by. */
function useDeployments(environmentId: string) {
  const targetOrganisationId = useMember().organisation.id;
  const body = { targetOrganisationId, environmentId, limit: ALL_DEPLOYMENTS };
  return useCall('deployments.list', { body }, { refreshMs: REFRESH_MS }).data ?? [];
}

/** The domain or the database that it was done to. */
function Target({ environmentId, of }: { environmentId: string; of: ActivityEntry | undefined }) {
  const told = of && nameTarget(of);
  if (!of || !told) return null;
  const path = of.database_id ? `/databases/${of.database_id}` : `/environments/${environmentId}/domain`;
  return (
    <Link href={path}>
      <Name of={told} />
    </Link>
  );
}
