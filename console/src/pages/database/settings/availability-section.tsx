import { useAction } from '../../../lib/use-action.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Button } from '../../../parts/button.tsx';
import { ConfirmButton } from '../../../parts/confirm-button.tsx';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { Section } from '../../../parts/section.tsx';
import type { SettingsProps } from './settings-tab.tsx';
import { useUpdate } from './use-update.ts';

export function AvailabilitySection(props: SettingsProps) {
  const { name, ha_enabled } = props.database;
  const update = useUpdate(props);
  const switchOn = useAction(() => update({ haEnabled: true }));
  return (
    <Section
      title="High availability"
      about="A second server has every change before it counts, and takes over at the same address when the first one fails."
    >
      <div className="actions">
        <Badge tone={ha_enabled ? 'good' : 'neutral'}>{ha_enabled ? 'on' : 'off'}</Badge>
        {ha_enabled ? (
          <ConfirmButton
            action="Switch off"
            subject="high availability"
            question={`Switch off high availability of ${name}?`}
            consequence="The second server is removed. The database goes on without a restart, and stops when its server does."
            look="plain"
            onConfirm={() => update({ haEnabled: false })}
          />
        ) : (
          <Button isBusy={switchOn.isBusy} onClick={() => void switchOn.run()}>
            Switch on
          </Button>
        )}
      </div>
      <ErrorNotice error={switchOn.error} />
    </Section>
  );
}
