import { Link } from '../../../lib/router.tsx';
import { useCall } from '../../../lib/use-call.ts';
import { BuildForm } from '../../../parts/environment-forms/build-form.tsx';
import { Section } from '../../../parts/section.tsx';
import { useMember } from '../../../shell/member-context.ts';
import type { Application } from '../application-page.tsx';
import { repositoryPath } from '../repository-path.ts';
import type { ProductionProps } from './production-sections.tsx';

export function BuildSection({ application, production, save }: ProductionProps) {
  const detected = useDetected(application);
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

/** Only where something is left to be detected; of an archive nothing can be asked any more. */
function useDetected(application: Application) {
  const targetOrganisationId = useMember().organisation.id;
  const { vcs_repo_url, vcs_branch, git_provider, root_directory, build_command, output_directory } = application;
  const isServer = application.deployment_type === 'container';
  const isAllSaid = build_command !== null && (isServer || output_directory !== null);
  const path = isAllSaid ? null : repositoryPath(vcs_repo_url);
  const rootDirectory = root_directory ?? undefined;
  const place = path && vcs_branch ? { ...path, branch: vcs_branch, gitProvider: git_provider, rootDirectory } : null;
  return useCall('applications.detect-framework', place && { body: { targetOrganisationId, ...place } }).data;
}
