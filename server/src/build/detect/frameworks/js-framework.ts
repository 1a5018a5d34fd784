import type { DeploymentType } from '@lilac/contract/states';
import { hasPackage, type JsProject } from '../javascript/js-project.ts';

/** One row of the table of JavaScript frameworks. */
export interface JsFramework {
  /** The name in common use. */
  slug: string;
  /** Any of these among the dependencies. */
  packages: readonly string[];
  /** What else must hold, where the packages alone do not tell. */
  isUsed?(project: JsProject): boolean;
  /** What builds it where the project has no script for it. */
  buildProgram?: string;
  describe(project: JsProject): Promise<Delivery> | Delivery;
}

/** What comes of a build, and how it is delivered. */
export interface Delivery {
  /** As the project is set up. */
  deploymentType: DeploymentType;
  /** Absent where it cannot be served as files. */
  static?: StaticDelivery;
  /** Absent where nothing of the framework serves it. */
  server?: ServerDelivery;
  /** What to do to get files, where serving what there is would only look like a site. */
  staticRefusal?: string;
  /** Wanted whatever comes of the build. */
  buildVariables?: Readonly<Record<string, string>>;
  cacheFolders?: readonly string[];
  notes?: readonly string[];
}

export interface StaticDelivery {
  outputDirectory: string;
  isSinglePage?: boolean;
  /** The scripts that build it, the first there is; `build` unless said. */
  scripts?: readonly string[];
  /** Overrides the framework's own program. */
  buildProgram?: string;
  buildVariables?: Readonly<Record<string, string>>;
  /** What a person has to change for it, where the project is set up as a server. */
  hint?: string;
}

export interface ServerDelivery {
  /** A program of the framework, or `node <file>`. */
  program: string;
  /** Scripts that start it, before `start`. */
  scripts?: readonly string[];
  buildVariables?: Readonly<Record<string, string>>;
}

export function isFrameworkUsed(framework: JsFramework, project: JsProject): boolean {
  return hasPackage(project, ...framework.packages) && (framework.isUsed?.(project) ?? true);
}

interface SiteOptions extends Omit<StaticDelivery, 'outputDirectory'>, Pick<Delivery, 'cacheFolders' | 'notes'> {}

/** Pages that each have a file: an unknown path is an unknown page. */
export function pagesIn(outputDirectory: string, options: SiteOptions = {}): Delivery {
  const { cacheFolders, notes, ...rest } = options;
  return { deploymentType: 'static', static: { outputDirectory, ...rest }, cacheFolders, notes };
}

/** One page that routes in the browser: unknown paths are answered with it. */
export function singlePageIn(outputDirectory: string, options: SiteOptions = {}): Delivery {
  return pagesIn(outputDirectory, { isSinglePage: true, ...options });
}

/** Rendered by a server. */
export function serverRunning(program: string, options: Omit<Delivery, 'deploymentType' | 'server'> = {}): Delivery {
  return { deploymentType: 'container', server: { program }, ...options };
}
