import type { DeploymentType } from '@lilac/contract/states';
import { Field } from '../../parts/field.tsx';
import { FrameworkChoice } from './framework-choice.tsx';
import type { Detected } from './settings-rules.ts';

interface BuildFieldsProps {
  type: DeploymentType;
  source: 'repository' | 'upload';
  detected: Detected | null;
  frameworks: readonly string[];
}

/** How it is built: what was detected stands there already. */
export function BuildFields({ type, source, detected, frameworks }: BuildFieldsProps) {
  const known = detected?.deploymentType === type ? detected : null;
  const text = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none', className: 'mono' } as const;
  return (
    <div className="columns">
      <FrameworkChoice {...{ detected, frameworks }} />
      <Field
        label="Build command"
        name="buildCommand"
        defaultValue={known?.buildCommand ?? ''}
        hint={`Left empty: as detected with every build${known?.buildCommand ? `, now ${known.buildCommand}` : ''}.`}
        {...text}
      />
      {type === 'static' ? (
        <Field
          label="Output folder"
          name="outputDirectory"
          defaultValue={known?.outputDirectory ?? ''}
          hint="Where the build puts the files; . is the top."
          {...text}
        />
      ) : (
        <Field
          label="Start command"
          name="startCommand"
          defaultValue={known?.startCommand ?? ''}
          hint="It listens at the port that PORT names."
          {...text}
        />
      )}
      {source === 'upload' && (
        <Field
          label="Folder of the archive"
          name="rootDirectory"
          hint="Only where the project is not at its top."
          placeholder="packages/site"
          {...text}
        />
      )}
    </div>
  );
}
