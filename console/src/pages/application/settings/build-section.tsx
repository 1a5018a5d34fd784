import { describeKind } from '../../../lib/describe-kind.ts';
import { Link } from '../../../lib/router.tsx';
import { showMarks } from '../../../lib/visible-name.ts';
import { BuildForm } from '../../../parts/environment-forms/build-form.tsx';
import { Section } from '../../../parts/section.tsx';
import type { Application } from '../application-page.tsx';
import { useDetected } from '../use-detected.ts';
import type { ProductionProps } from './production-sections.tsx';

export function BuildSection({ application, production, save }: ProductionProps) {
  const detected = useDetected(application, application.vcs_branch);
  return (
    <Section
      title="Build"
      about={
        <>
          How production is built, from its next deployment on. Empty fields are detected. Other environments have{' '}
          <Link href={`/apps/${application.id}`}>settings of their own</Link>.
        </>
      }
    >
      <BuildForm
        isStatic={application.deployment_type === 'static'}
        own={production}
        otherwise={{
          build: application.build_command ?? detected?.buildCommand ?? null,
          output: application.output_directory ?? detected?.outputDirectory ?? null,
          port: application.container_port,
        }}
        onSave={save}
      />
      <Given application={application} />
    </Section>
  );
}

const DETECTED = 'detected with every build; a Procfile with a line “web: …” decides it';

/** What was chosen when it was created: there is no way to change it, and people look for one here. */
function Given({ application }: { application: Application }) {
  const { deployment_type, source_type, start_command, root_directory } = application;
  const whole = source_type === 'upload' ? 'the whole archive' : 'the whole repository';
  return (
    <div className="stack">
      <dl className="facts" aria-label="What stays as it was created">
        <dt>What it is</dt>
        <dd>{describeKind(application)}</dd>
        {deployment_type === 'container' && (
          <>
            <dt>Start command</dt>
            <dd>{start_command === null ? DETECTED : <code>{showMarks(start_command)}</code>}</dd>
          </>
        )}
        <dt>Folder of the project</dt>
        <dd>{root_directory ? <code>{showMarks(root_directory)}</code> : whole}</dd>
      </dl>
      <p className="hint">
        These are as they were when the application was created, for all environments, and cannot be changed. For
        others, create it anew.
      </p>
    </div>
  );
}
