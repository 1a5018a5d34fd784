import { ApiError } from '@lilac/contract/client';
import type { DeploymentType } from '@lilac/contract/states';
import { useState } from 'react';
import { firstDeploymentPath } from '../../lib/first-deployment.ts';
import { Refusal } from '../../lib/refusal.ts';
import { Link } from '../../lib/router.tsx';
import { useCall } from '../../lib/use-call.ts';
import { showMarks } from '../../lib/visible-name.ts';
import { Form, type FormValues } from '../../parts/form.tsx';
import { Section } from '../../parts/section.tsx';
import { excessOf, problemsOf, variablesOf } from '../../parts/variables-editor/rules.ts';
import { VariableRows } from '../../parts/variables-editor/rows.tsx';
import { whileHere } from '../../shell/lead-on.ts';
import { useMember } from '../../shell/member-context.ts';
import { BuildFields } from './build-fields.tsx';
import { KindChoice } from './kind-choice.tsx';
import { NameFields } from './name-fields.tsx';
import { RunFields } from './run-fields.tsx';
import { describeDetected, type Detected, type NewSettings, settingsOf } from './settings-rules.ts';
import type { Draft } from './use-draft.ts';

interface SettingsFormProps {
  source: 'repository' | 'upload';
  detected: Detected | null;
  suggestedName: string;
  draft: Draft;
  /** Whether its host tells of pushes. */
  hearsPushes?: boolean;
  /** Answers the application's id. */
  create: (settings: NewSettings) => Promise<string>;
}

/** Everything that is known of it by now, to be changed; then it is created and built. */
export function SettingsForm({ source, detected, hearsPushes = false, create, ...rest }: SettingsFormProps) {
  const { suggestedName, draft } = rest;
  const targetOrganisationId = useMember().organisation.id;
  const platform = useCall('config.platform', {});
  const { rows, setRows, fields, setField } = draft;
  const type = (fields.kind as DeploymentType | undefined) ?? detected?.deploymentType ?? 'static';
  const [isUnsure, setUnsure] = useState(false);
  const hasProblems = problemsOf(rows).size > 0 || excessOf(variablesOf(rows)) !== null;
  const submit = async (values: FormValues) => {
    const filled = { values, deploymentType: type, variables: variablesOf(rows), detected };
    const leadOn = whileHere();
    const settings = settingsOf(filled);
    draft.setStep('sent');
    try {
      const applicationId = await create(settings);
      draft.setStep('created');
      const said = `The application ${showMarks(settings.shared.name)} was created, and is being deployed.`;
      leadOn(await firstDeploymentPath({ targetOrganisationId, applicationId }), { said, shows: true });
    } catch (error) {
      draft.setStep('open');
      setUnsure(!(error instanceof ApiError));
      throw error;
    }
  };
  return (
    <Section title="Settings">
      <Form label="Settings" submit="Create and deploy" onSubmit={hasProblems ? refuse : submit} isWide>
        <NameFields {...{ suggestedName, draft }} appsDomain={platform.data?.appsDomain ?? null} />
        {/* Why nothing is known of a repository was said by the platform itself. */}
        {(detected || source === 'upload') && (
          <p className={detected ? 'notice' : 'notice notice-warning'} role="status">
            {detected ? `Found: ${describeDetected(detected)}.` : 'Nothing was recognised. Say below how it is built.'}
          </p>
        )}
        <KindChoice type={type} onType={(kind) => setField('kind', kind)} />
        <BuildFields {...{ type, source, detected, draft, frameworks: platform.data?.frameworks ?? [] }} />
        <p className="hint">
          What it is and its folder cannot be changed later, nor a framework
          {type === 'container' && ' or a start command'} that is set here. Everything else can.
        </p>
        {type === 'container' &&
          (source === 'repository' ? (
            <RunFields draft={draft} />
          ) : (
            <p className="hint">Its size, its instances and its port can be set in its settings, once it is there.</p>
          ))}
        {hearsPushes && (
          <label className="check">
            <input
              type="checkbox"
              name="autoDeployOnPush"
              checked={fields.autoDeployOnPush !== 'off'}
              onChange={(event) => setField('autoDeployOnPush', event.target.checked ? 'on' : 'off')}
            />{' '}
            Deploy with every push to the branch
          </label>
        )}
        {source === 'repository' && !hearsPushes && (
          <p className="hint">
            A push will deploy nothing by itself. For that, an account that reaches the repository has to be{' '}
            <Link href="/repositories">linked</Link>.
          </p>
        )}
        <details className="folded" open={rows.length > 0 || undefined}>
          <summary>Environment variables{rows.length > 0 && ` (${rows.length})`}</summary>
          <VariableRows rows={rows} onChange={setRows} />
        </details>
        {isUnsure && (
          <p className="notice notice-warning">
            It may have been created all the same: <Link href="/">look at the applications</Link> before you try again.
          </p>
        )}
      </Form>
    </Section>
  );
}

const refuse = () => Promise.reject(new Refusal('Mend the variables that are marked.'));
