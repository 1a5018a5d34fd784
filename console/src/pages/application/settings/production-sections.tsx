import type { OutputOf } from '../../../lib/api-types.ts';
import { useCall } from '../../../lib/use-call.ts';
import type { BuildChanges } from '../../../parts/environment-forms/build-form.tsx';
import type { SizeChanges } from '../../../parts/environment-forms/size-changes.ts';
import { Loading } from '../../../parts/loading.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import { useMember } from '../../../shell/member-context.ts';
import type { Application } from '../application-page.tsx';
import { BuildSection } from './build-section.tsx';
import { SizeSection } from './size-section.tsx';

export interface ProductionProps {
  application: Application;
  production: OutputOf<'environments.get'>;
  save: (changes: Changes) => Promise<void>;
}

type Changes = Partial<BuildChanges & SizeChanges>;

/** How production is built, and how large it is; other environments have settings of their own. */
export function ProductionSections({ application }: { application: Application }) {
  const targetOrganisationId = useMember().organisation.id;
  const environmentId = application.environments.find(({ is_production }) => is_production)?.id;
  const loaded = useCall('environments.get', environmentId ? { body: { targetOrganisationId, environmentId } } : null);
  if (!environmentId) return null;
  const save = async (changes: Changes) => {
    await browserSession.call('environments.update', { body: { targetOrganisationId, environmentId, ...changes } });
    loaded.reload();
  };
  return (
    <Loading of={loaded}>
      {(production) => (
        <>
          <BuildSection {...{ application, production, save }} />
          {application.deployment_type === 'container' && <SizeSection {...{ application, production, save }} />}
        </>
      )}
    </Loading>
  );
}
