import { useState } from 'react';
import { Field } from '../field.tsx';
import { Form, type FormValues } from '../form.tsx';

interface BuildFormProps {
  isStatic: boolean;
  /** What the environment has of its own. */
  own: { build_command: string | null; output_directory: string | null; container_port: number | null };
  /** What counts where that is left empty; null where it is detected. */
  otherwise: { build: string | null; output: string | null; port: number | null };
  onSave: (changes: BuildChanges) => Promise<unknown>;
}

/** Null: as the application has it, or detected. What nobody changed here is left out: a colleague may have. */
export interface BuildChanges {
  buildCommand?: string | null;
  outputDirectory?: string | null;
  containerPort?: number | null;
}

const text = { className: 'mono', autoComplete: 'off', spellCheck: false } as const;

/** How an environment is built, and where its program listens. */
export function BuildForm({ isStatic, own, otherwise, onSave }: BuildFormProps) {
  const [shown, setShown] = useState(own);
  const save = async ({ build, output, port }: FormValues) => {
    const next = {
      build_command: build?.trim() || null,
      output_directory: isStatic ? output?.trim() || null : shown.output_directory,
      container_port: isStatic ? shown.container_port : Number(port) || null,
    };
    await onSave({
      ...(next.build_command !== shown.build_command && { buildCommand: next.build_command }),
      ...(next.output_directory !== shown.output_directory && { outputDirectory: next.output_directory }),
      ...(next.container_port !== shown.container_port && { containerPort: next.container_port }),
    });
    setShown(next);
  };
  return (
    <Form
      label="Build"
      submit="Save"
      submitLook="plain"
      onSubmit={save}
      done="Saved. It counts from the next deployment on."
    >
      <Field
        label="Build command"
        name="build"
        defaultValue={shown.build_command ?? ''}
        placeholder={otherwise.build ?? 'detected'}
        maxLength={4096}
        {...text}
      />
      {isStatic ? (
        <Field
          label="Output folder"
          name="output"
          defaultValue={shown.output_directory ?? ''}
          placeholder={otherwise.output ?? 'detected'}
          hint="What the build leaves there is served. A dot is the root itself."
          maxLength={1024}
          {...text}
        />
      ) : (
        <Field
          label="Port"
          name="port"
          type="number"
          min={1}
          max={65_535}
          defaultValue={shown.container_port ?? ''}
          placeholder={String(otherwise.port ?? 'detected')}
          hint="Where the program listens; it finds the number in PORT."
        />
      )}
    </Form>
  );
}
