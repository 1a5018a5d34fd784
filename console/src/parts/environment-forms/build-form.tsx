import { useEdited } from '../../lib/use-edited.ts';
import { Field } from '../field.tsx';
import { Form } from '../form.tsx';

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
  const { values, changes, isChanged, edit, settle } = useEdited({
    build: own.build_command ?? '',
    output: own.output_directory ?? '',
    port: String(own.container_port ?? ''),
  });
  const save = async () => {
    const { build, output, port } = changes;
    await onSave({
      ...(build !== undefined && { buildCommand: build.trim() || null }),
      ...(output !== undefined && { outputDirectory: output.trim() || null }),
      ...(port !== undefined && { containerPort: Number(port) || null }),
    });
    settle(changes);
  };
  return (
    <Form
      label="Build"
      submit="Save"
      submitLook="plain"
      onSubmit={save}
      done="Saved. It counts from the next deployment on."
      unsaved={isChanged && 'What you changed under “Build” is not saved.'}
    >
      <Field
        label="Build command"
        name="build"
        value={values.build}
        onChange={(event) => edit({ build: event.target.value })}
        placeholder={otherwise.build ?? 'detected'}
        longest={4096}
        {...text}
      />
      {isStatic ? (
        <Field
          label="Output folder"
          name="output"
          value={values.output}
          onChange={(event) => edit({ output: event.target.value })}
          placeholder={otherwise.output ?? 'detected'}
          hint="What the build leaves there is served. A dot is the root itself."
          longest={1024}
          {...text}
        />
      ) : (
        <Field
          label="Port"
          name="port"
          type="number"
          min={1}
          max={65_535}
          value={values.port}
          onChange={(event) => edit({ port: event.target.value })}
          placeholder={String(otherwise.port ?? 'detected')}
          hint="Where the program listens; it finds the number in PORT."
        />
      )}
    </Form>
  );
}
