import { useState } from 'react';
import { Refusal } from '../../lib/refusal.ts';
import { lookForRollback } from '../../lib/look-for-rollback.ts';
import { deploymentsOf, isSameRollback, type Rollback } from '../../lib/rollback.ts';
import { navigate } from '../../lib/router.tsx';
import { useAction } from '../../lib/use-action.ts';
import { Button, type ButtonLook } from '../../parts/button.tsx';
import { BranchName } from '../../parts/branch-name.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { QuestionDialog, useAsking } from '../../parts/question-dialog.tsx';
import { ServedDeployment } from '../../parts/served-deployment.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';
import { showMarks } from '../../lib/visible-name.ts';

interface DeployNowProps {
  environment: { id: string; name: string; vcs_branch: string | null };
  look?: ButtonLook;
  /** Where there is more to say than which environment it is. */
  label?: string;
}

/** Builds what the source has now, and leads to where one can watch. Where that undoes a rollback, it asks first. */
export function DeployNow({ environment, look = 'plain', label }: DeployNowProps) {
  const asking = useAsking();
  const { ask, deploy, rollback } = useDeploy(environment.id, asking.open);
  return (
    <>
      <Button
        look={look}
        isBusy={ask.isBusy}
        onClick={() => void ask.run()}
        aria-label={label ? undefined : showMarks(`Deploy ${environment.name}`)}
      >
        {label ?? 'Deploy'}
      </Button>
      <ErrorNotice error={ask.error} />
      <QuestionDialog
        asking={asking}
        title={`Undo the rollback of ${environment.name}?`}
        action="Deploy"
        look="primary"
        isBusy={deploy.isBusy}
        error={deploy.error}
        onConfirm={deploy.run}
      >
        {rollback && <WhatChanges rollback={rollback} branch={environment.vcs_branch} />}
      </QuestionDialog>
    </>
  );
}

/** Looks whether somebody rolled back, first and again before it deploys: a colleague may have since. */
function useDeploy(environmentId: string, onRolledBack: () => void) {
  const address = { targetOrganisationId: useMember().organisation.id, environmentId };
  const [rollback, setRollback] = useState<Rollback | null>(null);
  const look = () => lookForRollback(address);
  const start = async () => {
    const { id } = await browserSession.call('environments.deploy', { body: address });
    navigate(`/deployments/${id}`);
  };
  const deploy = useAction(async () => {
    const found = await look();
    if (found && !isSameRollback(found, rollback)) {
      setRollback(found);
      throw new Refusal(
        'Somebody rolled back or deployed meanwhile, and nothing was deployed. See what it would do now.',
      );
    }
    await start();
  });
  const ask = useAction(async () => {
    deploy.forget();
    const found = await look();
    setRollback(found);
    if (found) onRolledBack();
    else await start();
  });
  return { ask, deploy, rollback };
}

function WhatChanges({ rollback, branch }: { rollback: Rollback; branch: string | null }) {
  const { wanted, until, nextArchive } = rollback;
  const all = deploymentsOf(rollback);
  return (
    <>
      <p className="about">
        {until ? 'Another one was asked for, and is not ready yet.' : 'It was rolled back.'} A deployment builds the
        newest source, and serves that instead.
      </p>
      <dl className="facts">
        <dt>Now</dt>
        <dd>
          <ServedDeployment deployment={until ?? wanted} besides={all} />
        </dd>
        {until && (
          <>
            <dt>On its way</dt>
            <dd>
              <ServedDeployment deployment={wanted} besides={all} />
            </dd>
          </>
        )}
        <dt>Then</dt>
        <dd>
          {nextArchive ? (
            <ServedDeployment deployment={nextArchive} besides={all} />
          ) : (
            <span className="break">the head of {branch ? <BranchName of={branch} /> : 'its branch'}, built anew</span>
          )}
        </dd>
      </dl>
    </>
  );
}
