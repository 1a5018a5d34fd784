import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from '../../lib/exec.ts';
import { findProgram } from '../../lib/find-program.ts';
import { BuildFailed } from '../builder.ts';
import { findPythons } from './host-python.ts';
import type { HostTool } from './tool.ts';

/** Languages whose tools the operator installs: what is built with them is built with what the machine has. */
export const hostToolNames = [
  'python',
  'go',
  'rust',
  'java',
  'maven',
  'gradle',
  'ruby',
  'bundler',
  'php',
  'composer',
  'dotnet',
  'elixir',
] as const;
export type HostToolName = (typeof hostToolNames)[number];

interface Description {
  title: string;
  program: string;
  /** What tells the version, on either stream. */
  versionArguments: readonly string[];
  /** Prints where the program really lies, where a link does not tell. */
  placeArguments?: readonly string[];
  /** What distributions keep of it below /etc, by its version. */
  settings?: (version: string) => readonly string[];
  /** For the operator. */
  advice: string;
}

const descriptions: Record<Exclude<HostToolName, 'python'>, Description> = {
  go: {
    title: 'Go',
    program: 'go',
    versionArguments: ['version'],
    advice: 'apt-get install golang-go, or a release of Go unpacked into /usr/local/go',
  },
  rust: {
    title: 'Rust',
    program: 'rustc',
    versionArguments: ['--version'],
    placeArguments: ['--print', 'sysroot'],
    advice: 'apt-get install cargo, or rustup',
  },
  java: {
    title: 'Java',
    program: 'java',
    versionArguments: ['-version'],
    settings: (version) => [`/etc/java-${version.split('.')[0]}-openjdk`],
    advice: 'apt-get install default-jdk-headless',
  },
  maven: {
    title: 'Maven',
    program: 'mvn',
    versionArguments: ['-v'],
    settings: () => ['/etc/maven'],
    advice: 'apt-get install maven; or the project brings mvnw along',
  },
  gradle: {
    title: 'Gradle',
    program: 'gradle',
    versionArguments: ['-v'],
    advice: 'a release of Gradle; or the project brings gradlew along',
  },
  ruby: {
    title: 'Ruby',
    program: 'ruby',
    versionArguments: ['--version'],
    placeArguments: ['-e', 'puts RbConfig.ruby'],
    advice: 'apt-get install ruby ruby-dev build-essential',
  },
  bundler: { title: 'Bundler', program: 'bundle', versionArguments: ['--version'], advice: 'apt-get install bundler' },
  php: {
    title: 'PHP',
    program: 'php',
    versionArguments: ['--version'],
    settings: () => ['/etc/php'],
    advice: 'apt-get install php-cli php-mbstring php-xml',
  },
  composer: {
    title: 'Composer',
    program: 'composer',
    versionArguments: ['--version', '--no-ansi'],
    advice: 'apt-get install composer',
  },
  dotnet: { title: '.NET', program: 'dotnet', versionArguments: ['--version'], advice: 'the .NET SDK' },
  elixir: { title: 'Elixir', program: 'mix', versionArguments: ['--version'], advice: 'apt-get install elixir' },
};

const PYTHON_ADVICE = 'apt-get install python3 python3-venv python3-pip';

/** Where people put them who do not use the system's packages. */
function searchPath(path: string | undefined): string {
  const homes = ['/usr/local/go/bin', join(homedir(), '.cargo/bin')];
  return [path ?? '/usr/local/bin:/usr/bin:/bin', ...homes].join(':');
}

/** Null where this machine has none. */
export async function findHostTool(name: HostToolName, path: string | undefined): Promise<HostTool | null> {
  if (name === 'python') return (await findPythons(path))[0] ?? null;
  const { title, program: wanted, ...description } = descriptions[name];
  const found = findProgram([wanted], searchPath(path));
  if (!found) return null;
  const version = (await ask(found, description.versionArguments))?.match(/\d+(\.\d+)+/)?.[0];
  if (!version) return null;
  const program = await placeOf(name, found, description.placeArguments);
  const settings = description.settings?.(version).filter((folder) => existsSync(folder)) ?? [];
  return { name, title, version, program, folders: [dirname(dirname(program)), ...settings] };
}

/** The same, where a project cannot do without. */
export async function requireHostTool(name: HostToolName, path: string | undefined): Promise<HostTool> {
  const found = await findHostTool(name, path);
  if (found) return found;
  const { title, advice } = adviceFor(name);
  throw new BuildFailed(
    `This project needs ${title}, which is not installed on this machine. Its operator installs it with: ${advice}.`,
  );
}

function adviceFor(name: HostToolName): { title: string; advice: string } {
  if (name === 'python') return { title: 'Python', advice: PYTHON_ADVICE };
  const { title, advice } = descriptions[name];
  return { title, advice };
}

/** Shims of version managers choose by the folder they are called in: the sandbox gets what is behind them. */
async function placeOf(name: HostToolName, found: string, placeArguments: readonly string[] | undefined) {
  if (!placeArguments) return realpathSync(found);
  const place = (await ask(found, placeArguments))?.trim();
  if (!place) return realpathSync(found);
  return name === 'rust' ? join(realpathSync(place), 'bin/rustc') : realpathSync(place);
}

const ASK_MS = 20_000;

async function ask(program: string, words: readonly string[]): Promise<string | null> {
  const env = { PATH: `${dirname(program)}:/usr/local/bin:/usr/bin:/bin`, HOME: homedir(), LANG: 'C.UTF-8' };
  const { exitCode, stdout, stderr } = await run([program, ...words], { cwd: '/', env, timeoutMs: ASK_MS });
  return exitCode === 0 ? stdout + stderr : null;
}
