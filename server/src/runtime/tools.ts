import type { Mount } from '../sandbox/sandbox.ts';

/** Brings what a server runs on. */
export type ToolSource = (wanted: Readonly<Record<string, string>>) => Promise<Tools>;

export interface Tools {
  mounts: readonly Mount[];
  /** As the instance sees it; before the system's own. */
  searchPath: readonly string[];
  env: Readonly<Record<string, string>>;
}
