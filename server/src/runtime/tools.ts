import type { Mount } from '../sandbox/sandbox.ts';

/** Brings what a server runs on. */
export type ToolSource = (wanted: Readonly<Record<string, string>>) => Promise<Tools>;

export interface Tools {
  mounts: readonly Mount[];
  /** As the instance sees it; before the system's own. */
  searchPath: readonly string[];
  env: Readonly<Record<string, string>>;
  /** The Node among them, where it is in a folder that the instance is given; null: there is none. */
  node: GivenNode | null;
}

export interface GivenNode {
  version: string;
  /** As the instance sees it: the folder, and the program in it. */
  at: string;
  program: string;
}
