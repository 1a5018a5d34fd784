import { useState } from 'react';
import { nameAmong } from '../../lib/describe-deployment.ts';
import { paceOfDeployments } from '../../lib/news-pace.ts';
import { Refusal } from '../../lib/refusal.ts';
import { ALL_DEPLOYMENTS, deploymentsOf, isSameRollback, type Rollback, rollbackOf } from '../../lib/rollback.ts';
import { useAction } from '../../lib/use-action.ts';
import { useCall } from '../../lib/use-call.ts';
import { showMarks } from '../../lib/visible-name.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { RolledBackNotice } from '../../parts/rolled-back-notice.tsx';
import { Section } from '../../parts/section.tsx';
import { VariablesEditor } from '../../parts/variables-editor/variables-editor.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { type LeadOn, whileHere } from '../../shell/lead-on.ts';
import { useMember, usePermission } from '../../shell/member-context.ts';
import { DatabaseVariables } from './databases/database-variables.tsx';
import type { TabProps } from './environment-page.tsx';

const NEXT_BUILD = 'Changes apply on the next build.';
/** A deployment keeps its variables, so going back to it brings them back. */
const OF_ITS_TIME = 'These apply to the next build. The live deployment keeps the ones it was built with.';

export function VariablesTab({ environment, reload }: TabProps) {
  const targetOrganisationId = useMember().organisation.id;
  const mayChange = usePermission('update:projects') && environment.status !== 'deleting';
  const [isSaved, setSaved] = useState(false);
  const address = { targetOrganisationId, environmentId: environment.id };
  const { rollback, isDeploying, setDeploying, deploy } = useDeploying(address, environment.name);
  const save = async (environmentVarsPatch: Record<string, string | null>) => {
    const leadOn = whileHere();
    await browserSession.call('environments.update', { body: { ...address, environmentVarsPatch } });
    setSaved(true);
    reload();
    // They are saved, whatever becomes of the deployment: its failure is told on the page.
    if (isDeploying) void deploy.run(leadOn);
  };
  return (
    <>
      <RolledBackNotice rollback={rollback} />
      <Section
        title="Variables"
        about={`Available to the build and the running program. ${rollback ? OF_ITS_TIME : NEXT_BUILD}`}
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
          note={<DeployWish {...{ rollback, isDeploying, setDeploying }} branch={environment.vcs_branch} />}
        />
      </Section>
      <DatabaseVariables environmentId={environment.id} />
    </>
  );
}

interface DeployWishProps {
  rollback: Rollback | null;
  isDeploying: boolean;
  setDeploying: (isDeploying: boolean) => void;
  branch: string | null;
}

function DeployWish({ rollback, isDeploying, setDeploying, branch }: DeployWishProps) {
  return (
    <label className="check">
      <input type="checkbox" checked={isDeploying} onChange={(event) => setDeploying(event.target.checked)} />
      <span>
        Deploy right after saving.{' '}
        {rollback ? sayWhatFollows(rollback, branch) : 'Otherwise they apply on the next build.'}
      </span>
    </label>
  );
}

/** Wished for by itself, except where it would undo a rollback. */
function useDeploying(address: { targetOrganisationId: string; environmentId: string }, name: string) {
  const body = { ...address, limit: ALL_DEPLOYMENTS };
  const { data, reload } = useCall('deployments.list', { body }, { refreshMs: paceOfDeployments });
  const rollback = data ? rollbackOf(data) : null;
  // What was wished before a rollback was not wished for what it would do now.
  const [wish, setWish] = useState<{ isDeploying: boolean; rollback: Rollback | null } | null>(null);
  const isWished = wish && isSameRollback(wish.rollback, rollback) ? wish.isDeploying : rollback === null;
  const deploy = useAction(async (leadOn: LeadOn) => {
    const found = rollbackOf(await browserSession.call('deployments.list', { body }));
    if (found && !isSameRollback(found, rollback)) {
      reload();
      throw new Refusal(
        'Someone rolled back or deployed in the meantime. The variables are saved, but nothing was deployed.',
      );
    }
    const { id } = await browserSession.call('environments.deploy', { body: address });
    leadOn(`/deployments/${id}`, { said: `The deployment of ${showMarks(name)} has started.`, shows: true });
  });
  const setDeploying = (isDeploying: boolean) => setWish({ isDeploying, rollback });
  return { rollback, isDeploying: data !== undefined && isWished, setDeploying, deploy };
}

function sayWhatFollows(rollback: Rollback, branch: string | null): string {
  const { wanted, nextArchive } = rollback;
  const all = deploymentsOf(rollback);
  const next = nextArchive ? `“${nameAmong(nextArchive, all)}”` : `the head of ${branch ?? 'its branch'}`;
  return `That undoes the rollback: ${next} would be served instead of “${nameAmong(wanted, all)}”.`;
}
