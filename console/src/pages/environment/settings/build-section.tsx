import { Field } from '../../../parts/field.tsx';
import { Form, type FormValues } from '../../../parts/form.tsx';
import { Section } from '../../../parts/section.tsx';
import type { TabProps } from '../environment-page.tsx';
import { useUpdate } from './use-update.ts';

/** What is left empty is the application's, or detected. */
export function BuildSection(props: TabProps) {
  const { environment, application } = props;
  const update = useUpdate(props);
  const isStatic = application.deployment_type === 'static';
  const save = ({ build, output, port }: FormValues) =>
    update({
      buildCommand: build?.trim() || null,
      ...(isStatic ? { outputDirectory: output?.trim() || null } : { containerPort: port ? Number(port) : null }),
    });
  return (
    <Section
      title="Build"
      about="How this environment is built, from its next deployment on. What is left empty is as the application has it, or detected."
    >
      <Form label="Build" submit="Save" onSubmit={save} done="Saved. It counts from the next deployment on.">
        <Field
          label="Build command"
          name="build"
          className="mono"
          defaultValue={environment.build_command ?? ''}
          placeholder={application.build_command ?? 'detected'}
          autoComplete="off"
          spellCheck={false}
          maxLength={4096}
        />
        {isStatic ? (
          <Field
            label="Output folder"
            name="output"
            className="mono"
            defaultValue={environment.output_directory ?? ''}
            placeholder={application.output_directory ?? 'detected'}
            hint="What the build leaves there is served. A dot is the root itself."
            autoComplete="off"
            spellCheck={false}
            maxLength={1024}
          />
        ) : (
          <Field
            label="Port"
            name="port"
            type="number"
            min={1}
            max={65_535}
            defaultValue={environment.container_port ?? ''}
            placeholder={String(application.container_port ?? 'detected')}
            hint="Where the program listens; it finds the number in PORT."
          />
        )}
      </Form>
    </Section>
  );
}
