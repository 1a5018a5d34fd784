import type { Family } from '../finding.ts';
import type { ProjectFiles } from '../project-files.ts';

/** What a native build could start from: then a Dockerfile is only one of two ways. */
const NATIVE = [
  'package.json',
  'go.mod',
  'Gemfile',
  'requirements.txt',
  'pyproject.toml',
  'Pipfile',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'Cargo.toml',
  'composer.json',
  'mix.exs',
  'deno.json',
  'deno.jsonc',
];
const DOCKERFILES = ['Dockerfile', 'Containerfile', 'dockerfile'];
const COMPOSE_FILES = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml'];

export function findDockerfile({ fileNames }: ProjectFiles): string | null {
  return DOCKERFILES.find((name) => fileNames.has(name)) ?? null;
}

/** A Dockerfile where nothing else says how the project is built, or where a person chose it. */
export const dockerfile: Family = {
  name: 'Dockerfile',
  frameworks: ['dockerfile', 'docker', 'docker-compose'],
  async detect({ files, chosenFramework }) {
    const path = findDockerfile(files);
    const compose = COMPOSE_FILES.find((name) => files.fileNames.has(name));
    const isChosen = chosenFramework !== null && dockerfile.frameworks.includes(chosenFramework);
    const isNative = NATIVE.some((name) => files.fileNames.has(name)) || hasProjectFile(files);
    if ((!path && !compose) || (isNative && !isChosen)) return null;
    const port = path ? exposedPort((await files.read(path)) ?? '') : null;
    return {
      framework: path && !(compose && chosenFramework === 'docker-compose') ? 'dockerfile' : 'docker-compose',
      language: 'docker',
      deploymentType: 'container',
      runtime: 'docker',
      port,
      notes: ['A Dockerfile is built by a Docker engine, which the platform must have been given.'],
    };
  },
};

function hasProjectFile({ fileNames }: ProjectFiles): boolean {
  return [...fileNames].some((name) => /\.(cs|fs|vb)proj$|\.slnx?$/.test(name));
}

function exposedPort(text: string): number | null {
  const port = Number(text.match(/^\s*EXPOSE\s+(\d+)/im)?.[1]);
  return port > 0 && port < 65_536 ? port : null;
}
