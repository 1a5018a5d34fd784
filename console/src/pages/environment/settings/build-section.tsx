import { Link } from '../../../lib/router.tsx';
import { BuildForm } from '../../../parts/environment-forms/build-form.tsx';
import { Section } from '../../../parts/section.tsx';
import { useDetected } from '../../application/use-detected.ts';
import type { TabProps } from '../environment-page.tsx';
import { useUpdate } from './use-update.ts';

export function BuildSection(props: TabProps) {
  const { environment, application } = props;
  const detected = useDetected(application, environment.vcs_branch ?? application.vcs_branch);
  const build = application.build_command ?? detected?.buildCommand ?? null;
  const output = application.output_directory ?? detected?.outputDirectory ?? null;
  const port = application.container_port;
  return (
    <Section
      title="Build"
      about={
        <>
          How this environment is built, from its next deployment on. Empty fields use the application’s settings, or
          detected. Its kind, folder and start command are{' '}
          <Link href={`/apps/${application.id}/settings`}>the application’s</Link>.
        </>
      }
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
