import { useEdited } from '../../../lib/use-edited.ts';
import { TextField } from '../../../parts/field.tsx';
import { Form } from '../../../parts/form.tsx';
import { Section } from '../../../parts/section.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import { useMember } from '../../../shell/member-context.ts';
import { parseGlobs, printGlobs } from '../branch-globs.ts';
import { PushOffer } from '../push-offer.tsx';
import type { SettingsProps } from './application-settings.tsx';
import { Name } from '../../../parts/name.tsx';

/** What a push does. */
export function PushSection(props: SettingsProps) {
  const { auto_deploy_on_push, auto_delete_stale_envs } = props.application;
  return (
    <Section title="Automatic deployments">
      <PushOffer application={props.application} isOn={auto_deploy_on_push || auto_delete_stale_envs}>
        <PushForm {...props} />
      </PushOffer>
    </Section>
  );
}

function PushForm({ application, onChanged }: SettingsProps) {
  const targetOrganisationId = useMember().organisation.id;
  const { values, changes, edit, settle } = useEdited({
    autoDeployOnPush: application.auto_deploy_on_push,
    branches: printGlobs(application.auto_deploy_branches),
    autoDeleteStaleEnvs: application.auto_delete_stale_envs,
  });
  const isOn = values.autoDeployOnPush;
  const { branches, ...rest } = changes;
  // While it is off they do nothing, and are kept for when it is on again.
  const lists = isOn && branches !== undefined ? { autoDeployBranches: parseGlobs(branches) } : {};
  const wanted = { ...rest, ...lists };
  const isChanged = Object.keys(wanted).length > 0;
  const save = async () => {
    const body = { targetOrganisationId, applicationId: application.id, ...wanted };
    if (isChanged) await browserSession.call('applications.update', { body });
    settle(isOn ? changes : rest);
    onChanged();
  };
  return (
    <Form
      label="Automatic deployments"
      submit="Save"
      submitLook="plain"
      onSubmit={save}
      done="Saved"
      unsaved={isChanged && 'What you changed under “Automatic deployments” is not saved.'}
    >
      <label className="check">
        <input type="checkbox" checked={isOn} onChange={(event) => edit({ autoDeployOnPush: event.target.checked })} />
        <span>
          Deploy on push: production follows{' '}
          {application.vcs_branch ? <Name of={application.vcs_branch} /> : 'its branch'}
        </span>
      </label>
      <TextField
        label="Branches with an environment of their own"
        name="branches"
        className="mono"
        value={values.branches}
        onChange={(event) => edit({ branches: event.target.value })}
        placeholder="feature/*"
        hint={
          isOn
            ? 'Patterns, one to a line. Whoever pushes a branch that matches gets an environment for it.'
            : 'Needs deploying on push.'
        }
        disabled={!isOn}
        spellCheck={false}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={values.autoDeleteStaleEnvs}
          onChange={(event) => edit({ autoDeleteStaleEnvs: event.target.checked })}
        />
        <span>When a branch is deleted, delete its environments; never production</span>
      </label>
    </Form>
  );
}
