import { BuildForm } from '../../../parts/environment-forms/build-form.tsx';
import { Section } from '../../../parts/section.tsx';
import type { TabProps } from '../environment-page.tsx';
import { useUpdate } from './use-update.ts';

export function BuildSection(props: TabProps) {
  const { environment, application } = props;
  const { build_command: build, output_directory: output, container_port: port } = application;
  return (
    <Section
      title="Build"
      about="How this environment is built, from its next deployment on. What is left empty is as the application has it, or detected."
    >
      <BuildForm
        isStatic={application.deployment_type === 'static'}
        own={environment}
        otherwise={{ build, output, port }}
        onSave={useUpdate(props)}
      />
    </Section>
  );
}
