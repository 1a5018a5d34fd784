import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeTree } from '../../lib/remove-tree.ts';
import { detectIsolation, works, type HostAbilities } from '../../sandbox/detect-isolation.ts';
import { namespaceArgv } from '../../sandbox/launch.ts';
import { preludeArgv } from '../../sandbox/prelude.ts';
import { scratch } from '../inner-paths.ts';
import { mountTable } from '../mount-table.ts';

export interface InstanceHost extends HostAbilities {
  /** Whether folders can be mounted before the sandbox is shut. */
  canStage: boolean;
  /** Whether a tree can be laid below memory, so that instances may write into it. */
  canLayer: boolean;
}

/** `folder` is ours to try in. */
export async function detectHost(options: { folder: string; path: string | undefined }): Promise<InstanceHost> {
  const abilities = await detectIsolation(options);
  const canLayer = await canLay(options.folder, abilities.isRoot);
  const host = { ...abilities, canLayer, canStage: abilities.isRoot || canLayer };
  return { ...host, lacking: [...abilities.lacking, ...describeLacking(host)] };
}

export function describeLacking(
  host: Pick<InstanceHost, 'bubblewrap' | 'isRoot' | 'canFilterCalls' | 'canLayer'>,
): string[] {
  if (!host.bubblewrap && !host.isRoot) {
    return [
      'Servers cannot be run: bubblewrap does not work here, and they must not run as the user that holds the keys.',
    ];
  }
  return [
    ...(host.bubblewrap
      ? []
      : ['Without bubblewrap servers have no view of files of their own, and no filter refuses them system calls.']),
    ...(host.bubblewrap && !host.canFilterCalls
      ? ['The kernel cannot filter system calls: servers may make all.']
      : []),
    ...(host.canLayer
      ? []
      : ['Overlay mounts do not work here: servers cannot write into their own files, only into /tmp and HOME.']),
  ];
}

/** Tries just what a start does. */
async function canLay(folder: string, isRoot: boolean): Promise<boolean> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const probe = mkdtempSync(join(folder, '.probe-'));
  try {
    const [slug, stage, table] = [join(probe, 'slug'), join(probe, 'stage'), join(probe, 'mounts')];
    mkdirSync(slug);
    mkdirSync(stage);
    writeFileSync(join(slug, 'file'), '');
    writeFileSync(table, mountTable({ stage, slug, folders: [], isRoot, canOverlay: true }));
    const steps = ['scratch', stage, 'mode=755,size=1m', 'layers', stage, '0', 'table', table];
    const change = ['/bin/mv', join(stage, scratch.app, 'file'), join(stage, scratch.app, 'moved')];
    return await works([...namespaceArgv(isRoot), ...preludeArgv(), ...steps, '--', ...change]);
  } finally {
    await removeTree(probe);
  }
}
