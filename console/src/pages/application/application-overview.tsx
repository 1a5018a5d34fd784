import { useCall } from '../../lib/use-call.ts';
import { Loading } from '../../parts/loading.tsx';
import { Section } from '../../parts/section.tsx';
import { useMember, usePermission } from '../../shell/member-context.ts';
import type { Application } from './application-page.tsx';
import { EnvironmentRow } from './environment-row.tsx';
import { NewEnvironment } from './new-environment.tsx';
import { SourceSection } from './source-section.tsx';

const REFRESH_MS = 5000;

export function ApplicationOverview({ application }: { application: Application }) {
  const targetOrganisationId = useMember().organisation.id;
  const body = { targetOrganisationId, applicationId: application.id };
  const environments = useCall('environments.list', { body }, { refreshMs: REFRESH_MS });
  const mayCreate = usePermission('create:projects') && application.status !== 'deleting';
  return (
    <>
      <Section title="Environments" about="Each has an address, a branch and settings of its own.">
        <Loading of={environments}>
          {(list) => (
            <ul className="rows" aria-label="Environments">
              {list.map((environment) => (
                <EnvironmentRow key={environment.id} environment={environment} />
              ))}
            </ul>
          )}
        </Loading>
        {mayCreate && <NewEnvironment application={application} />}
      </Section>
      <SourceSection application={application} />
    </>
  );
}
