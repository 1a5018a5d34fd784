import type { DeploymentType } from '@lilac/contract/states';
import type { ChangeEvent } from 'react';
import { Field } from '../../parts/field.tsx';
import { FrameworkChoice } from './framework-choice.tsx';
import { type Detected, lacksStart } from './settings-rules.ts';
import type { Draft } from './use-draft.ts';

interface BuildFieldsProps {
  type: DeploymentType;
  source: 'repository' | 'upload';
  detected: Detected | null;
  draft: Draft;
  frameworks: readonly string[];
}

type Command = 'buildCommand' | 'outputDirectory' | 'startCommand';

const LISTENS = 'It listens at the port that PORT names.';

/**
 * How it is built: what was detected stands there already. What was typed is still there after another kind was tried.
 */
export function BuildFields({ type, source, detected, draft: { fields, setField }, frameworks }: BuildFieldsProps) {
  const known = detected?.deploymentType === type ? detected : null;
  // How it is built does not depend on what it is.
  const found = { ...known, buildCommand: detected?.buildCommand };
  const { framework = '', rootDirectory: folder = '' } = fields;
  // Another framework may know of another start, and so may another folder.
  const isAsDetected = framework === '' && folder.trim() === '';
  const isStartMissing = isAsDetected && known !== null && lacksStart(known);
  const text = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none', className: 'mono' } as const;
  const fieldOf = (name: Command) => ({
    name,
    value: fields[name] ?? found[name] ?? '',
    onChange: (event: ChangeEvent<HTMLInputElement>) => setField(name, event.target.value),
    ...text,
  });
  return (
    <div className="columns">
      <FrameworkChoice {...{ detected, frameworks, framework }} onFramework={(slug) => setField('framework', slug)} />
      <Field
        label="Build command"
        hint={`Left empty: as detected with every build${found.buildCommand ? `, now ${found.buildCommand}` : ''}.`}
        {...fieldOf('buildCommand')}
      />
      {type === 'static' ? (
        <Field
          label="Output folder"
          hint="Where the build puts the files; . is the top."
          {...fieldOf('outputDirectory')}
        />
      ) : (
        <Field
          label="Start command"
          hint={isStartMissing ? `None was found: say how it is started. ${LISTENS}` : LISTENS}
          required={isStartMissing}
          {...fieldOf('startCommand')}
        />
      )}
      {source === 'upload' && (
        <Field
          label="Folder of the archive"
          name="rootDirectory"
          value={folder}
          onChange={(event) => setField('rootDirectory', event.target.value)}
          hint="Only where the project is not at its top."
          placeholder="packages/site"
          {...text}
        />
      )}
    </div>
  );
}
