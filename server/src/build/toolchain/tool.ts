import { dirname, join } from 'node:path';
import type { Mount } from '../../sandbox/sandbox.ts';
import { isShown } from '../../sandbox/system-view.ts';
import { inner } from '../inner-paths.ts';

/** One program that a build or an instance runs on, as the sandbox finds it. */
export interface Tool {
  /** `node`, `pnpm`, `python`. */
  name: string;
  /** For people: `Node`. */
  title: string;
  version: string;
  mounts: readonly Mount[];
  /** Folders of its programs. */
  searchPath: readonly string[];
  /** What it wants to find in the environment wherever it runs. */
  env: Readonly<Record<string, string>>;
}

/** A tool that lies in a folder of the platform's own. */
export function toolIn(
  folder: string,
  { programs, ...tool }: Pick<Tool, 'name' | 'title' | 'version'> & { programs: string },
): Tool {
  const at = `${inner.tools}/${tool.name}`;
  return { ...tool, mounts: [readOnly(folder, at)], searchPath: [join(at, programs)], env: {} };
}

export interface HostTool {
  name: string;
  title: string;
  version: string;
  /** The program itself, no link and no shim. */
  program: string;
  /** What must be seen for it to work, where the sandbox does not show it anyway: its prefix, its settings. */
  folders: readonly string[];
}

/** A tool of this machine: it is seen where it lies, for many know their place by heart. */
export function toolOfHost({ name, title, version, program, folders }: HostTool): Tool {
  const hidden = folders.filter((folder) => !isShown(folder));
  return {
    name,
    title,
    version,
    mounts: hidden.map((folder) => readOnly(folder, folder)),
    searchPath: [dirname(program)],
    env: {},
  };
}

const readOnly = (from: string, at: string): Mount => ({ kind: 'folder', from, at, isWritable: false });
