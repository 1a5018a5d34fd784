import type { DeploymentType } from '@lilac/contract/states';
import { type ChangeEvent, useState } from 'react';
import { Field } from '../../parts/field.tsx';
import { FrameworkChoice } from './framework-choice.tsx';
import type { Detected } from './settings-rules.ts';

interface BuildFieldsProps {
  type: DeploymentType;
  source: 'repository' | 'upload';
  detected: Detected | null;
  frameworks: readonly string[];
}

type Command = 'buildCommand' | 'outputDirectory' | 'startCommand';

/** How it is built: what was detected stands there already. What was typed is still there after another kind was tried. */
export function BuildFields({ type, source, detected, frameworks }: BuildFieldsProps) {
  const known = detected?.deploymentType === type ? detected : null;
  const [typed, setTyped] = useState<Partial<Record<Command, string>>>({});
  const text = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none', className: 'mono' } as const;
  const fieldOf = (name: Command) => ({
    name,
    value: typed[name] ?? known?.[name] ?? '',
    onChange: (event: ChangeEvent<HTMLInputElement>) => setTyped({ ...typed, [name]: event.target.value }),
    ...text,
  });
  return (
    <div className="columns">
      <FrameworkChoice {...{ detected, frameworks }} />
      <Field
        label="Build command"
        hint={`Left empty: as detected with every build${known?.buildCommand ? `, now ${known.buildCommand}` : ''}.`}
        {...fieldOf('buildCommand')}
      />
      {type === 'static' ? (
        <Field
          label="Output folder"
          hint="Where the build puts the files; . is the top."
          {...fieldOf('outputDirectory')}
        />
      ) : (
        <Field label="Start command" hint="It listens at the port that PORT names." {...fieldOf('startCommand')} />
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
