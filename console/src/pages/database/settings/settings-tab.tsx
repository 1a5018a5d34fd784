import { AllowedOnly } from '../../../parts/allowed-only.tsx';
import { usePermission } from '../../../shell/member-context.ts';
import { type Database, isMoving } from '../../databases/describe-database.ts';
import { AvailabilitySection } from './availability-section.tsx';
import { DangerSection } from './danger-section.tsx';
import { GeneralSection } from './general-section.tsx';
import { NetworkSection } from './network-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { SizeSection } from './size-section.tsx';

export interface SettingsProps {
  database: Database;
  onChanged: () => void;
}

export function SettingsTab({ database, onChanged }: SettingsProps) {
  const canChange = usePermission('update:projects');
  const canDelete = usePermission('delete:projects');
  const props = { database, onChanged };
  return (
    <AllowedOnly isAllowed={canChange} notice="Your role lets you look at this database, and not change its settings.">
      {isMoving(database) && (
        <p className="notice">It is being changed. Further changes are taken when that is done.</p>
      )}
      <GeneralSection {...props} />
      <SizeSection {...props} />
      <AvailabilitySection {...props} />
      <NetworkSection {...props} />
      <PasswordSection {...props} />
      {canDelete && <DangerSection {...props} />}
    </AllowedOnly>
  );
}
