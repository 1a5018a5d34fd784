import { useState } from 'react';
import { TextField } from '../../../parts/field.tsx';
import { Form, type FormValues } from '../../../parts/form.tsx';
import { Section } from '../../../parts/section.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import { useMember } from '../../../shell/member-context.ts';
import { parseGlobs, printGlobs } from '../branch-globs.ts';
import type { SettingsProps } from './application-settings.tsx';

/** What a push does. */
export function PushSection({ application, onChanged }: SettingsProps) {
  const targetOrganisationId = useMember().organisation.id;
  const [isOn, setOn] = useState(application.auto_deploy_on_push);
  const save = async ({ branches = '', stale }: FormValues) => {
    const body = {
      targetOrganisationId,
      applicationId: application.id,
      autoDeployOnPush: isOn,
      // While it is off they do nothing, and are kept for when it is on again.
      ...(isOn && { autoDeployBranches: parseGlobs(branches) }),
      autoDeleteStaleEnvs: stale === 'yes',
    };
    await browserSession.call('applications.update', { body });
    onChanged();
  };
  return (
    <Section title="Automatic deployments">
      <Form label="Automatic deployments" submit="Save" submitLook="plain" onSubmit={save} done="Saved">
        <label className="check">
          <input type="checkbox" checked={isOn} onChange={(event) => setOn(event.target.checked)} />
          <span>Deploy on push: production follows {application.vcs_branch ?? 'its branch'}</span>
        </label>
        <TextField
          label="Branches with an environment of their own"
          name="branches"
          className="mono"
          defaultValue={printGlobs(application.auto_deploy_branches)}
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
          <input type="checkbox" name="stale" value="yes" defaultChecked={application.auto_delete_stale_envs} />
          <span>When a branch is deleted, delete its environments; never production</span>
        </label>
      </Form>
    </Section>
  );
}
