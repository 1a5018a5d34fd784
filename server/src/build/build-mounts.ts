import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { INNER_UID } from '../sandbox/bubblewrap.ts';
import type { Mount } from '../sandbox/sandbox.ts';
import { isShown } from '../sandbox/system-view.ts';
import { inner } from './inner-paths.ts';
import type { Workspace } from './workspace.ts';

export interface MountInputs {
  workspace: Workspace;
  /** The organisation's folder of downloads. */
  store: string;
  toolMounts: readonly Mount[];
  hostVariables: Readonly<Record<string, string>>;
}

/** What a build sees besides the system. */
export async function buildMounts({ workspace, store, toolMounts, hostVariables }: MountInputs): Promise<Mount[]> {
  return [
    writable(workspace.tmp, '/tmp'),
    writable(workspace.home, inner.home),
    writable(workspace.source, inner.source),
    writable(store, inner.store),
    ...toolMounts,
    ...(await writeAccounts(workspace.root)),
    ...certificates(hostVariables),
  ];
}

const writable = (from: string, at: string): Mount => ({ kind: 'folder', from, at, isWritable: true });
const readOnly = (from: string, at: string): Mount => ({ kind: 'folder', from, at, isWritable: false });

/** Many tools ask who they are, and give up when nobody knows. */
async function writeAccounts(folder: string): Promise<Mount[]> {
  const files = {
    passwd: `build:x:${INNER_UID}:${INNER_UID}:build:${inner.home}:/bin/sh\n`,
    group: `build:x:${INNER_UID}:\n`,
  };
  return Promise.all(
    Object.entries(files).map(async ([name, text]) => {
      await writeFile(join(folder, name), text, { mode: 0o644 });
      return readOnly(join(folder, name), `/etc/${name}`);
    }),
  );
}

/** Bundles that the operator keeps elsewhere than the system does. */
function certificates(hostVariables: Readonly<Record<string, string>>): Mount[] {
  const paths = Object.entries(hostVariables)
    .filter(([name, value]) => /CERT|_CA_/.test(name) && isAbsolute(value) && !isShown(value) && existsSync(value))
    .map(([, value]) => value);
  return [...new Set(paths)].map((path) => readOnly(path, path));
}
