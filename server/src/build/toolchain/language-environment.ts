import { join } from 'node:path';
import { inner } from '../inner-paths.ts';
import type { Tool } from './tool.ts';

export interface LanguageInputs {
  tools: readonly Tool[];
  /** As the build sees it. */
  root: string;
  hostVariables: Readonly<Record<string, string>>;
}

/** Where the packages of a project of Python are, whichever manager installs them. */
export const VIRTUAL_ENVIRONMENT = '.venv';

/** What the tools of languages find in the environment of a build: downloads are kept, packages lie in the tree. */
export function languageEnvironment({ tools, root, hostVariables: host }: LanguageInputs): Record<string, string> {
  const named = (name: string) => tools.find((tool) => tool.name === name);
  const python = named('python');
  return {
    ...(python ? pythonEnvironment(root, python) : {}),
    ...(named('go') ? goEnvironment : {}),
    ...(named('rust') ? rustEnvironment(host) : {}),
    ...(named('java') ? javaEnvironment(host) : {}),
    ...(named('ruby') ? rubyEnvironment(root) : {}),
    ...(named('php') ? phpEnvironment : {}),
    ...(named('deno') ? denoEnvironment(host) : {}),
  };
}

function pythonEnvironment(root: string, { searchPath, version }: Tool): Record<string, string> {
  const environment = join(root, VIRTUAL_ENVIRONMENT);
  const interpreter = `${searchPath[0]}/python${version.split('.').slice(0, 2).join('.')}`;
  return {
    VIRTUAL_ENV: environment,
    LILAC_PYTHON: interpreter,
    PIP_CACHE_DIR: `${inner.store}/pip`,
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    PIP_NO_INPUT: '1',
    // The environment has no pip of its own: that of the machine installs into it.
    PIP_PYTHON: join(environment, 'bin/python'),
    UV_CACHE_DIR: `${inner.store}/uv`,
    UV_COMPILE_BYTECODE: '1',
    UV_LINK_MODE: 'copy',
    UV_NO_PROGRESS: '1',
    UV_PYTHON: interpreter,
    UV_PYTHON_DOWNLOADS: 'never',
    POETRY_CACHE_DIR: `${inner.store}/poetry`,
    POETRY_VIRTUALENVS_IN_PROJECT: 'true',
    PDM_CACHE_DIR: `${inner.store}/pdm`,
    PDM_CHECK_UPDATE: 'false',
    PIPENV_VENV_IN_PROJECT: '1',
    PIPENV_CACHE_DIR: `${inner.store}/pipenv`,
  };
}

/** The files of a check-out are not those of a repository, and Go would stop over it. */
const goEnvironment = {
  GOPATH: `${inner.store}/go`,
  GOCACHE: `${inner.store}/go-build`,
  GOFLAGS: '-buildvcs=false',
  GOTELEMETRY: 'off',
};

function rustEnvironment({ SSL_CERT_FILE: certificates }: Readonly<Record<string, string>>): Record<string, string> {
  return {
    CARGO_HOME: `${inner.store}/cargo`,
    CARGO_TERM_PROGRESS_WHEN: 'never',
    ...(certificates ? { CARGO_HTTP_CAINFO: certificates } : {}),
  };
}

/** Java reads no variable for its proxy: it is told as properties. */
function javaEnvironment(host: Readonly<Record<string, string>>): Record<string, string> {
  const proxy = proxyProperties(host).join(' ');
  return {
    MAVEN_OPTS: [`-Dmaven.repo.local=${inner.store}/m2`, '-Djava.awt.headless=true', proxy].filter(Boolean).join(' '),
    GRADLE_USER_HOME: `${inner.store}/gradle`,
    // A daemon would not outlive the build anyway.
    GRADLE_OPTS: ['-Dorg.gradle.daemon=false', proxy].filter(Boolean).join(' '),
  };
}

function proxyProperties(host: Readonly<Record<string, string>>): string[] {
  return (['http', 'https'] as const).flatMap((scheme) => {
    const url = URL.parse(host[`${scheme.toUpperCase()}_PROXY`] ?? host[`${scheme}_proxy`] ?? '');
    return url ? [`-D${scheme}.proxyHost=${url.hostname}`, `-D${scheme}.proxyPort=${url.port || '80'}`] : [];
  });
}

function rubyEnvironment(root: string): Record<string, string> {
  return {
    BUNDLE_PATH: join(root, 'vendor/bundle'),
    BUNDLE_WITHOUT: 'development:test',
    BUNDLE_USER_CACHE: `${inner.store}/bundle`,
    BUNDLE_SILENCE_ROOT_WARNING: '1',
  };
}

const phpEnvironment = {
  COMPOSER_HOME: `${inner.home}/.composer`,
  COMPOSER_CACHE_DIR: `${inner.store}/composer`,
  COMPOSER_NO_INTERACTION: '1',
};

function denoEnvironment({ SSL_CERT_FILE: certificates }: Readonly<Record<string, string>>): Record<string, string> {
  return {
    // Modules are part of what is run.
    DENO_DIR: join(inner.source, '.deno'),
    DENO_NO_UPDATE_CHECK: '1',
    ...(certificates ? { DENO_CERT: certificates } : {}),
  };
}
