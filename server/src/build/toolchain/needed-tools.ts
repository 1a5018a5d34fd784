import type { Language, Plan } from '../plan.ts';
import { hostToolNames, type HostToolName } from './host-tools.ts';
import { pythonManagers, type PythonManager } from './pypi-package.ts';

/** Tools that are packages of npm's registry, whatever language they are for. */
const registryToolNames = ['node', 'npm', 'pnpm', 'yarn', 'bun', 'deno'] as const;
export type RegistryToolName = (typeof registryToolNames)[number];

export type ToolName = RegistryToolName | HostToolName | PythonManager;

export interface NeededTools {
  /** Without these nothing works. */
  required: ToolName[];
  /** Commands of the project's own may call them: they are there where the machine has them. */
  welcome: ToolName[];
}

const BY_PROGRAM: Readonly<Record<string, readonly ToolName[]>> = {
  ...Object.fromEntries(
    [...registryToolNames, ...pythonManagers, 'go', 'java', 'gradle', 'ruby', 'php', 'composer', 'dotnet'].map(
      (name) => [name, [name as ToolName]],
    ),
  ),
  npx: ['npm'],
  bunx: ['bun'],
  python: ['python'],
  python3: ['python'],
  pip: ['python'],
  pip3: ['python'],
  cargo: ['rust'],
  rustc: ['rust'],
  mvn: ['maven'],
  './mvnw': ['java'],
  './gradlew': ['java'],
  bundle: ['bundler'],
  mix: ['elixir'],
};

/** What a tool itself runs on. */
const BENEATH: Partial<Record<ToolName, ToolName>> = {
  npm: 'node',
  pnpm: 'node',
  yarn: 'node',
  maven: 'java',
  gradle: 'java',
  bundler: 'ruby',
  composer: 'php',
  uv: 'python',
  poetry: 'python',
  pdm: 'python',
  pipenv: 'python',
};

const BUILT_WITH: Partial<Record<Language, readonly ToolName[]>> = {
  go: ['go'],
  rust: ['rust'],
  java: ['java', 'maven', 'gradle'],
  ruby: ['ruby', 'bundler'],
  php: ['php', 'composer'],
  dotnet: ['dotnet'],
  elixir: ['elixir'],
};

const RUN_ON: Partial<Record<Language, readonly ToolName[]>> = {
  node: ['node'],
  bun: ['bun'],
  deno: ['deno'],
  python: ['python'],
  java: ['java'],
  ruby: ['ruby'],
  php: ['php'],
};

type Commands = Pick<Plan, 'language' | 'installCommand' | 'buildCommand' | 'startCommand'>;

/** Node, which many builds call for their assets, is always there besides. */
export function toolsToBuild({ language, installCommand, buildCommand, startCommand }: Commands): NeededTools {
  const isBuilt = installCommand !== null || buildCommand !== null;
  const ofLanguage = isBuilt || startCommand !== null ? (RUN_ON[language] ?? []) : [];
  const required = withBeneath([
    ...ofLanguage,
    ...toolsCalledBy(installCommand),
    ...toolsCalledBy(buildCommand),
    ...toolsCalledBy(startCommand),
  ]);
  const welcome = isBuilt ? (BUILT_WITH[language] ?? []).filter((name) => !required.includes(name)) : [];
  return { required, welcome };
}

/** `command` is what is really started: what a script of the project says, where one is named. */
export function toolsToRun(language: Language, command: string): ToolName[] {
  return withBeneath([...(RUN_ON[language] ?? []), ...toolsCalledBy(command)]);
}

function withBeneath(names: readonly ToolName[]): ToolName[] {
  return [...new Set(names.flatMap((name) => [BENEATH[name] ?? name, name]))];
}

/** The programs at the beginnings of commands; words elsewhere are arguments. */
export function toolsCalledBy(command: string | null): ToolName[] {
  const commands = (command ?? '').split(/&&|\|\||[;|\n(]|\$\(/);
  return commands.flatMap((text) => BY_PROGRAM[programOf(text)] ?? []);
}

function programOf(command: string): string {
  const words = command.trim().split(/\s+/);
  const first = words.findIndex((word) => !/^([A-Za-z_]\w*=.*|exec|env|time|nohup|command)$/.test(word));
  return words[first] ?? '';
}

export function isHostTool(name: string): name is HostToolName {
  return (hostToolNames as readonly string[]).includes(name);
}

export function isRegistryTool(name: string): name is RegistryToolName {
  return (registryToolNames as readonly string[]).includes(name);
}
