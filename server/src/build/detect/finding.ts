import type { Plan } from '../plan.ts';
import type { ProjectFiles } from './project-files.ts';
import type { SourceTree } from '../../source/source-tree.ts';

type Told = Pick<Plan, 'framework' | 'language' | 'deploymentType'>;

/** What a family of rules says of a project, before a person's settings are applied. */
export interface Finding extends Told, Partial<Omit<Plan, keyof Told>> {
  /** What to do to serve a project as files that is set up as a server; absent where that cannot be. */
  asStatic?: {
    outputDirectory: string;
    buildCommand?: string | null;
    isSinglePage?: boolean;
    buildVariables?: Readonly<Record<string, string>>;
    notes?: readonly string[];
  };
  /** Why a project cannot be served as files as it is, and what to do; where `asStatic` is absent. */
  staticRefusal?: string;
  /** What is told of a server for which no start command was found, and none was set. */
  noStart?: string;
  /** What would run as a server a project that is set up as files; absent where nothing would. */
  asServer?: { startCommand: string };
}

/** The project that rules look at. */
export interface Project {
  /** The whole source: the workspaces of a monorepo lie above the project. */
  tree: SourceTree;
  rootDirectory: string;
  files: ProjectFiles;
  /** The framework that a person chose; rules of a family prefer its own to those it would find. */
  chosenFramework: string | null;
}

/** Rules for one kind of project. */
export interface Family {
  name: string;
  /** The slugs that choose this family when a person sets one; `javascript` has a table of its own. */
  frameworks: readonly string[];
  /** Null: not a project of this family. */
  detect(project: Project): Promise<Finding | null>;
}
