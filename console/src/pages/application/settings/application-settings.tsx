import { AllowedOnly } from '../../../parts/allowed-only.tsx';
import { InsteadNotice } from '../../../parts/instead-notice.tsx';
import { usePermission } from '../../../shell/member-context.ts';
import type { Application } from '../application-page.tsx';
import { DeleteSection } from './delete-section.tsx';
import { FolderSection } from './folder-section.tsx';
import { NameSection } from './name-section.tsx';
import { ProductionSections } from './production-sections.tsx';
import { PushSection } from './push-section.tsx';
import { RepositorySection } from './repository-section.tsx';

export interface SettingsProps {
  application: Application;
  onChanged: () => void;
}

export function ApplicationSettings({ application, onChanged }: SettingsProps) {
  const mayChange = usePermission('update:projects');
  const mayDelete = usePermission('delete:projects');
  if (application.status === 'deleting') return <InsteadNotice>This application is being deleted.</InsteadNotice>;
  return (
    <AllowedOnly isAllowed={mayChange} notice="Only owners and admins of the organisation can change an application.">
      <NameSection {...{ application, onChanged }} />
      <ProductionSections application={application} />
      {application.source_type === 'vcs' && (
        <>
          <RepositorySection {...{ application, onChanged }} />
          <PushSection {...{ application, onChanged }} />
        </>
      )}
      <FolderSection {...{ application, onChanged }} />
      {mayDelete && <DeleteSection application={application} />}
    </AllowedOnly>
  );
}
