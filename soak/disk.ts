import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathsOf } from '../server/src/config.ts';
import { filesOf } from '../server/src/engines/host/place-files.ts';
import { listPlaces, readRecord } from '../server/src/engines/host/place-record.ts';

/** What people write to their databases, by the name it has beside the folders of the home. */
export const ROWS = 'rows';

/**
 * Megabytes by folder of the home. The volumes of databases that people have are apart, with what they wrote; the rest
 * of the databases' folder is the platform's doing: records, logs, and all that is left of databases that are gone.
 */
export function diskByFolder(home: string, databaseIds: ReadonlySet<string>): Record<string, number> {
  const volumes = volumesOf(pathsOf({ home }).databases, databaseIds);
  const folders = readdirSync(home).map((name) => [name, megabytesIn(join(home, name), volumes)] as const);
  const rows = [...volumes].reduce((sum, path) => sum + megabytesIn(path), 0);
  return { ...Object.fromEntries(folders), [ROWS]: rows };
}

function volumesOf(root: string, databaseIds: ReadonlySet<string>): ReadonlySet<string> {
  const ofPeople = listPlaces(root).filter((serverId) => {
    const record = recordOf(root, serverId);
    return record !== null && databaseIds.has(record.databaseId);
  });
  return new Set(
    ofPeople.flatMap((serverId) => {
      const { base, image } = filesOf(join(root, serverId));
      return [base, image];
    }),
  );
}

/** What has none that can be read is nobody's. */
function recordOf(root: string, serverId: string): ReturnType<typeof readRecord> {
  try {
    return readRecord(root, serverId);
  } catch {
    return null;
  }
}

/** What it takes on the disk, holes left out. What is removed meanwhile takes nothing. */
function megabytesIn(path: string, butFor: ReadonlySet<string> = new Set()): number {
  if (butFor.has(path)) return 0;
  try {
    const found = lstatSync(path);
    const inside = found.isDirectory() ? readdirSync(path).map((name) => megabytesIn(join(path, name), butFor)) : [];
    return inside.reduce((sum, each) => sum + each, (found.blocks * 512) / 1024 ** 2);
  } catch {
    return 0;
  }
}
