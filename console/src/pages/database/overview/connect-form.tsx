import { useState } from 'react';
import { useCall } from '../../../lib/use-call.ts';
import { Field, SelectField } from '../../../parts/field.tsx';
import { Form, type FormValues } from '../../../parts/form.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import { useMember } from '../../../shell/member-context.ts';
import type { Database } from '../../databases/describe-database.ts';
import { useAddressed } from '../use-addressed.ts';
import { ApplicationChoice } from './application-choice.tsx';
import { type Application, useApplications } from './use-applications.ts';
import { showMarks } from '../../../lib/visible-name.ts';
import { usualApplication } from './usual-application.ts';

/** One of an application's environments, and the variable it finds the address in. */
export function ConnectForm({ database, onChanged }: { database: Database; onChanged: () => void }) {
  const addressed = useAddressed(database);
  const [picked, setPicked] = useState<Application | null>(null);
  const { applications } = useApplications('');
  const chosen = picked ?? usualApplication(applications);
  const environments = useEnvironments(chosen?.id ?? '');
  if (!chosen) return null;
  const connect = async ({ environmentId = '', variable = '' }: FormValues) => {
    await browserSession.call('databases.connect', { body: { ...addressed, environmentId, variable } });
    onChanged();
  };
  return (
    <details className="folded">
      <summary>Connect an environment</summary>
      <Form
        label="Connect an environment"
        submit="Connect"
        onSubmit={connect}
        done="Connected, from its next release on."
      >
        <ApplicationChoice chosen={chosen} onChosen={setPicked} />
        <SelectField label="Environment" name="environmentId" required>
          {environments.map(({ id, name }) => (
            <option key={id} value={id}>
              {showMarks(name)}
            </option>
          ))}
        </SelectField>
        <Field
          label="Variable"
          name="variable"
          className="mono"
          defaultValue="DATABASE_URL"
          pattern="[A-Za-z_][A-Za-z0-9_]*"
          title="letters, digits and _, with no digit first"
          longest={100}
          autoComplete="off"
          spellCheck={false}
          required
        />
      </Form>
    </details>
  );
}

function useEnvironments(applicationId: string) {
  const targetOrganisationId = useMember().organisation.id;
  const input = applicationId === '' ? null : { body: { targetOrganisationId, applicationId } };
  const listed = useCall('environments.list', input).data ?? [];
  // Those of the application before are still there for a moment.
  return listed.filter(({ application_id }) => application_id === applicationId);
}
