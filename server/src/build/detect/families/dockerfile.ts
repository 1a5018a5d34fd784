import type { Family, Finding, Project } from '../finding.ts';
import { matchLine } from '../parse/lines.ts';
import type { ProjectFiles } from '../project-files.ts';

/** What a native build could start from: then a Dockerfile is only one of two ways. */
const NATIVE =
  /^(package\.json|go\.mod|Gemfile|requirements\.txt|pyproject\.toml|Pipfile|pom\.xml|build\.gradle(\.kts)?|Cargo\.toml|composer\.json|mix\.exs|deno\.jsonc?)$|\.(cs|fs|vb)proj$|\.slnx?$/;
export const DOCKERFILES = ['Dockerfile', 'Containerfile', 'dockerfile'];
const COMPOSE_FILES = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml'];
const NEEDS_ENGINE =
  'A Dockerfile is built by an engine of Docker: the platform needs LILAC_RUNTIME=docker and LILAC_DOCKERFILES=on.';

/** A Dockerfile where nothing else says how the project is built, or where a person chose it. */
export const dockerfile: Family = {
  name: 'Dockerfile',
  frameworks: ['dockerfile'],
  async detect(project) {
    const isChosen = project.chosenFramework === 'dockerfile';
    const isNative = [...project.files.fileNames].some((name) => NATIVE.test(name));
    return isNative && !isChosen ? null : describeDockerfile(project.files);
  },
};

/** Services that only Compose would start. */
export const compose: Family = {
  name: 'Compose',
  frameworks: ['docker-compose'],
  async detect({ files }) {
    if (!COMPOSE_FILES.some((name) => files.fileNames.has(name))) return null;
    return {
      framework: 'docker-compose',
      language: 'docker',
      deploymentType: 'container',
      runtime: 'docker',
      notes: [
        'The platform does not run Compose files: deploy each service by itself, from a Dockerfile or its source.',
      ],
    };
  },
};

export function findDockerfile({ fileNames }: ProjectFiles): string | null {
  return DOCKERFILES.find((name) => fileNames.has(name)) ?? null;
}

/**
 * Where nothing tells how a server is started, its Dockerfile does. What can be built and run without a Docker
 * engine is; the port that the Dockerfile names is the server's either way.
 */
export async function preferDockerfile(project: Project, finding: Finding, isStaticWanted: boolean): Promise<Finding> {
  if (finding.deploymentType === 'static' || finding.language === 'docker') return finding;
  const described = await describeDockerfile(project.files);
  if (!described) return finding;
  const isStarted = (finding.startCommand ?? null) !== null;
  if (isStarted) return { ...finding, port: finding.port ?? described.port };
  if (finding.framework !== null || isStaticWanted || project.chosenFramework !== null) return finding;
  const other = `Set the framework to ${finding.language} to build it without Docker.`;
  return { ...described, notes: [...(described.notes ?? []), other] };
}

async function describeDockerfile(files: ProjectFiles): Promise<Finding | null> {
  const path = findDockerfile(files);
  if (!path) return null;
  return {
    framework: 'dockerfile',
    language: 'docker',
    deploymentType: 'container',
    runtime: 'docker',
    port: exposedPort((await files.read(path)) ?? ''),
    notes: [NEEDS_ENGINE],
  };
}

function exposedPort(text: string): number | null {
  const port = Number(matchLine(text, /^\s*EXPOSE\s+(\d+)/i)?.[1]);
  return port > 0 && port < 65_536 ? port : null;
}
