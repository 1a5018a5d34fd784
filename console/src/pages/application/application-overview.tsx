import type { Loaded } from '../../lib/use-call.ts';
import { Loading } from '../../parts/loading.tsx';
import { Section } from '../../parts/section.tsx';
import { usePermission } from '../../shell/member-context.ts';
import type { Application, Environments } from './application-page.tsx';
import { EnvironmentRow } from './environment-row.tsx';
import { NewEnvironment } from './new-environment.tsx';
import { SourceSection } from './source-section.tsx';

interface ApplicationOverviewProps {
  application: Application;
  environments: Loaded<Environments>;
}

export function ApplicationOverview({ application, environments }: ApplicationOverviewProps) {
  const mayCreate = usePermission('create:projects') && application.status !== 'deleting';
  const isUpload = application.source_type === 'upload';
  const own = isUpload ? 'an address and settings' : 'an address, a branch and settings';
  return (
    <>
      <Section title="Environments" about={`Each has ${own} of its own.`}>
        <Loading of={environments}>
          {(list) => (
            <ul className="rows env-rows" aria-label="Environments">
              {list.map((environment) => (
                <EnvironmentRow key={environment.id} {...{ environment, isUpload }} />
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
