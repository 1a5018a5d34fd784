import { Link } from '../../../lib/router.tsx';
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
          How production is built, from its next deployment on. What is left empty is detected. Other environments have{' '}
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

/** What was said when it was created, and is the same for all environments. */
function Given({ application: { start_command, root_directory } }: { application: Application }) {
  const facts = [
    ['Start command', start_command],
    ['Folder', root_directory],
  ].filter(([, value]) => value !== null && value !== '');
  if (facts.length === 0) return null;
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name} className="fact">
          <dt>{name}</dt>
          <dd className="break mono">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
