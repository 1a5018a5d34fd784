import { useState } from 'react';
import { type DeployQuestion, isSameQuestion, questionBefore } from '../../lib/deploy-question.ts';
import { Refusal } from '../../lib/refusal.ts';
import { ALL_DEPLOYMENTS } from '../../lib/rollback.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button, type ButtonLook } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { QuestionDialog, useAsking } from '../../parts/question-dialog.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { type LeadOn, whileHere } from '../../shell/lead-on.ts';
import { useMember, usePermission } from '../../shell/member-context.ts';
import { showMarks } from '../../lib/visible-name.ts';
import { NewVersionDialog } from '../environment/new-version-dialog.tsx';
import { SameArchive } from './same-archive.tsx';
import { WhatChanges } from './what-changes.tsx';

interface DeployNowProps {
  environment: { id: string; name: string; vcs_branch: string | null };
  look?: ButtonLook | undefined;
  /** It builds the archive there is once more. */
  isUpload?: boolean;
  /** Where there is more to say than which environment it is. */
  label?: string;
  /** Nothing around it says that it builds the archive there is, which who wants to send a new one has to know. */
  asksOfArchive?: boolean;
}

/** Builds what the source has now, and leads to where one can watch. Where that is not what one may expect, it asks. */
export function DeployNow({ environment, look = 'plain', isUpload = false, label, ...rest }: DeployNowProps) {
  const { asksOfArchive = false } = rest;
  const asking = useAsking();
  const { ask, deploy, question } = useDeploy(environment, { asksOfArchive, onQuestion: asking.open });
  const [isUploading, setUploading] = useState(false);
  const mayUpload = usePermission('create:projects');
  const isOfArchive = question?.kind === 'archive';
  const uploadInstead = () => {
    asking.close();
    setUploading(true);
  };
  return (
    <>
      <Button
        look={look}
        isBusy={ask.isBusy}
        onClick={() => void ask.run()}
        aria-label={label ? undefined : showMarks(`${isUpload ? 'Deploy again to' : 'Deploy'} ${environment.name}`)}
      >
        {label ?? (isUpload ? 'Deploy again' : 'Deploy')}
      </Button>
      <ErrorNotice error={ask.error} />
      <QuestionDialog
        asking={asking}
        title={
          isOfArchive ? `Deploy the same archive to ${environment.name}?` : `Undo the rollback of ${environment.name}?`
        }
        action={isOfArchive ? 'Deploy again' : 'Deploy'}
        look="primary"
        isBusy={deploy.isBusy}
        error={deploy.error}
        onConfirm={deploy.run}
        others={isOfArchive && mayUpload && <Button onClick={uploadInstead}>Upload a new version</Button>}
      >
        {question?.kind === 'rollback' && <WhatChanges rollback={question.rollback} branch={environment.vcs_branch} />}
        {question?.kind === 'archive' && <SameArchive archive={question.archive} />}
      </QuestionDialog>
      {isUploading && <NewVersionDialog environment={environment} onClose={() => setUploading(false)} />}
    </>
  );
}

interface Asking {
  asksOfArchive: boolean;
  onQuestion: () => void;
}

/**
 * Looks what would come of it, first and again before it deploys: a colleague may have rolled back or deployed since.
 */
function useDeploy({ id: environmentId, name }: DeployNowProps['environment'], { asksOfArchive, onQuestion }: Asking) {
  const address = { targetOrganisationId: useMember().organisation.id, environmentId };
  const [question, setQuestion] = useState<DeployQuestion | null>(null);
  const look = async () => {
    const body = { ...address, limit: ALL_DEPLOYMENTS };
    return questionBefore({ deployments: await browserSession.call('deployments.list', { body }), asksOfArchive });
  };
  const start = async (leadOn: LeadOn) => {
    const { id } = await browserSession.call('environments.deploy', { body: address });
    leadOn(`/deployments/${id}`, { said: `The deployment of ${showMarks(name)} has started.`, shows: true });
  };
  const deploy = useAction(async () => {
    const leadOn = whileHere();
    const found = await look();
    if (found && !isSameQuestion(found, question)) {
      setQuestion(found);
      throw new Refusal(
        'Someone rolled back or deployed in the meantime, so nothing was deployed. Check what would happen now.',
      );
    }
    await start(leadOn);
  });
  const ask = useAction(async () => {
    const leadOn = whileHere();
    deploy.forget();
    const found = await look();
    setQuestion(found);
    if (found) onQuestion();
    else await start(leadOn);
  });
  return { ask, deploy, question };
}
