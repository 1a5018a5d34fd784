import { useEffect, useRef, useState } from 'react';
import { showMarks } from '../../lib/visible-name.ts';
import { Button } from '../../parts/button.tsx';
import { BranchName } from '../../parts/branch-name.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Form, type FormValues } from '../../parts/form.tsx';
import { Picker } from '../../parts/picker/picker.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { whileHere } from '../../shell/lead-on.ts';
import { useMember } from '../../shell/member-context.ts';
import type { Application } from './application-page.tsx';
import { environmentAddress, environmentLabel } from './environment-address.ts';
import { PushOffer } from './push-offer.tsx';
import { useBranches } from './use-branches.ts';

/** An environment for another branch, or of the newest archive: deployed at once, unless one says otherwise. */
export function NewEnvironment({ application }: { application: Application }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="actions">
      <Button onClick={() => setOpen(true)}>New environment</Button>
      {isOpen && <NewEnvironmentDialog application={application} onClose={() => setOpen(false)} />}
    </div>
  );
}

/** Opened once its fields are there: the browser gives the focus to the first of them. */
function NewEnvironmentDialog({ application, onClose }: { application: Application; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <Dialog dialog={dialog} title="New environment" onClose={onClose}>
      <NewEnvironmentForm application={application} onCancel={() => dialog.current?.close()} />
    </Dialog>
  );
}

function NewEnvironmentForm({ application, onCancel }: { application: Application; onCancel: () => void }) {
  const create = useCreate(application);
  const [name, setName] = useState('');
  const address = environmentAddress(application, name);
  return (
    <Form
      label="New environment"
      submit="Create environment"
      onSubmit={create}
      actions={<Button onClick={onCancel}>Cancel</Button>}
    >
      <Field
        label="Name"
        name="name"
        value={name}
        onChange={(event) => setName(event.target.value)}
        hint={address ? `It will be at ${address}.` : 'Part of its address.'}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        required
      />
      {application.source_type === 'vcs' && (
        <>
          <BranchField application={application} />
          <PushOffer application={application}>
            <label className="check">
              <input type="checkbox" name="follow" value="yes" /> Deploy on every push to the branch
            </label>
          </PushOffer>
        </>
      )}
      <label className="check">
        <input type="checkbox" name="deploy" value="yes" defaultChecked /> Deploy it now
      </label>
    </Form>
  );
}

/** The branches are offered; where they cannot be had, a name can be typed. */
function BranchField({ application }: { application: Application }) {
  const branches = useBranches(application, true);
  const [branch, setBranch] = useState(application.vcs_branch ?? '');
  if (branches.length > 0) {
    return (
      <>
        <input type="hidden" name="branch" value={branch} />
        <Choice label="Branch" value={<BranchName of={branch} />} hint="The branch that it is built from.">
          {(onChosen) => (
            <Picker
              label="Branch"
              items={branches}
              chosen={branch}
              nameOf={(name) => name}
              onPick={(name) => {
                setBranch(name);
                onChosen();
              }}
              autoFocus
            />
          )}
        </Choice>
      </>
    );
  }
  return (
    <Field
      label="Branch"
      name="branch"
      hint="The branch that it is built from."
      autoComplete="off"
      spellCheck={false}
      longest={255}
      required
    />
  );
}

/** Leads to the deployment, or to the environment where nothing was to be deployed. */
function useCreate({ id: applicationId }: Application) {
  const targetOrganisationId = useMember().organisation.id;
  return async ({ name, branch, follow, deploy }: FormValues) => {
    const leadOn = whileHere();
    const vcsBranch = branch ?? environmentLabel(name!);
    const { id } = await browserSession.call('environments.create', {
      body: { targetOrganisationId, applicationId, name: name!, vcsBranch, autoDeploy: follow === 'yes' },
    });
    const made = `The environment ${showMarks(name!)} was created`;
    if (deploy !== 'yes') return leadOn(`/environments/${id}`, { said: `${made}.`, shows: true });
    const body = { targetOrganisationId, environmentId: id };
    const started = await browserSession.call('environments.deploy', { body }).catch(() => null);
    // It is there all the same: its page is where one deploys it again, and is told what keeps it from that.
    if (!started) return leadOn(`/environments/${id}`, { said: `${made}, and could not be deployed.`, shows: true });
    return leadOn(`/deployments/${started.id}`, { said: `${made}, and is being deployed.`, shows: true });
  };
}
