import { useState } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { navigate } from '../../lib/router.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Section } from '../../parts/section.tsx';
import { VariablesEditor } from '../../parts/variables-editor/variables-editor.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember, usePermission } from '../../shell/member-context.ts';
import type { TabProps } from './environment-page.tsx';

export function VariablesTab({ environment, reload }: TabProps) {
  const targetOrganisationId = useMember().organisation.id;
  const mayChange = usePermission('update:projects') && environment.status !== 'deleting';
  const [isDeploying, setDeploying] = useState(true);
  const [isSaved, setSaved] = useState(false);
  const address = { targetOrganisationId, environmentId: environment.id };
  const deploy = useAction(async () => {
    const { id } = await browserSession.call('environments.deploy', { body: address });
    navigate(`/deployments/${id}`);
  });
  const save = async (environmentVarsPatch: Record<string, string | null>) => {
    await browserSession.call('environments.update', { body: { ...address, environmentVarsPatch } });
    setSaved(true);
    reload();
    // They are saved, whatever becomes of the deployment: its failure is told on the page.
    if (isDeploying) void deploy.run();
  };
  return (
    <Section
      title="Variables"
      about="What the build and the running program find in their environment. Changes apply on the next build."
    >
      {isSaved && !deploy.isBusy && (
        <p className="notice notice-good" role="status">
          Saved. They apply on the next build.
        </p>
      )}
      <ErrorNotice error={deploy.error} />
      <VariablesEditor
        initial={environment.environment_vars}
        isReadOnly={!mayChange}
        onSave={save}
        note={
          <label className="check">
            <input type="checkbox" checked={isDeploying} onChange={(event) => setDeploying(event.target.checked)} />
            <span>Deploy right after saving. Without that they apply on the next build.</span>
          </label>
        }
      />
    </Section>
  );
}
