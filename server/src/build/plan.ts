import type { DeploymentType } from '@lilac/contract/states';

export const languages = [
  'node',
  'bun',
  'deno',
  'python',
  'go',
  'ruby',
  'php',
  'java',
  'rust',
  'dotnet',
  'elixir',
  'static',
  'docker',
  'other',
] as const;
export type Language = (typeof languages)[number];

export type PackageManagerName = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** How a project is built and what comes of it: plain data, kept with the deployment. */
export interface Plan {
  /** The slug in common use (`vite`, `nextjs`, `astro`); null where none is recognised. */
  framework: string | null;
  language: Language;
  deploymentType: DeploymentType;
  /** What a container runs on (`node24`, `python3`); null where nothing runs. */
  runtime: string | null;
  /** The folder that is deployed, relative to the source's root; `''` is the root itself. */
  rootDirectory: string;
  /** The folder that holds the lock file: the root of the workspaces in a monorepo, else the rootDirectory. */
  workspaceDirectory: string;
  /** Where the lock file is, relative to the source's root; null where there is none. */
  lockFile: string | null;
  packageManager: {
    name: PackageManagerName;
    /** Exact, a major, or null for the newest. */ version: string | null;
  } | null;
  /** A range as `engines` has it, a version of `.nvmrc`; null for the default. */
  nodeVersion: string | null;
  /** The same for the language where that is another (`>=3.11` of Python); absent or null for the machine's own. */
  languageVersion?: string | null;
  /** Shell text; null where there is nothing to do. Install runs in workspaceDirectory, the others in rootDirectory. */
  installCommand: string | null;
  buildCommand: string | null;
  /** Relative to rootDirectory; `''` is the rootDirectory itself. Null where the project is a container. */
  outputDirectory: string | null;
  startCommand: string | null;
  port: number | null;
  /** Folders worth keeping between builds, relative to rootDirectory. */
  cacheFolders: string[];
  /** What the framework wants to find in the environment of a build; the environment's own variables win. */
  buildVariables: Record<string, string>;
  /** Unknown paths are answered with the index page: a single-page application. */
  isSinglePage: boolean;
  /** What a person should know, a sentence each; the build log begins with them. */
  notes: string[];
}

/** What a person has set; it always wins over what is detected. */
export interface BuildSettings {
  /** Null: whatever is detected. */
  deploymentType: DeploymentType | null;
  framework: string | null;
  runtime: string | null;
  rootDirectory: string | null;
  buildCommand: string | null;
  outputDirectory: string | null;
  startCommand: string | null;
  containerPort: number | null;
}

/** Everything is left to detection. */
export const NOTHING_SET: BuildSettings = {
  deploymentType: null,
  framework: null,
  runtime: null,
  rootDirectory: null,
  buildCommand: null,
  outputDirectory: null,
  startCommand: null,
  containerPort: null,
};

/** A project that cannot be built as it is; the message says what to do. */
export class PlanRefused extends Error {}
