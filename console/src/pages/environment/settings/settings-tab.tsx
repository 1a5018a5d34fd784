import { AllowedOnly } from '../../../parts/allowed-only.tsx';
import { InsteadNotice } from '../../../parts/instead-notice.tsx';
import { usePermission } from '../../../shell/member-context.ts';
import type { TabProps } from '../environment-page.tsx';
import { AccessLogSection } from './access-log-section.tsx';
import { BuildSection } from './build-section.tsx';
import { DeleteSection } from './delete-section.tsx';
import { GeneralSection } from './general-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { ScalingSection } from './scaling-section.tsx';
import { SizeSection } from './size-section.tsx';

export function SettingsTab(props: TabProps) {
  const mayChange = usePermission('update:projects');
  const mayDelete = usePermission('delete:projects');
  const { environment, application } = props;
  if (environment.status === 'deleting') return <InsteadNotice>This environment is being deleted.</InsteadNotice>;
  const isServer = application.deployment_type === 'container';
  return (
    <AllowedOnly isAllowed={mayChange} notice="Only owners and admins can change an environment.">
      <GeneralSection {...props} />
      {isServer && <ScalingSection {...props} />}
      {isServer && <SizeSection {...props} />}
      <BuildSection {...props} />
      <PasswordSection {...props} />
      <AccessLogSection {...props} />
      {mayDelete && <DeleteSection {...props} />}
    </AllowedOnly>
  );
}
