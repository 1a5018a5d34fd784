import { coerce, intersects, satisfies, validRange } from 'semver';
import type { ProjectFiles } from '../project-files.ts';
import type { PackageManifest } from './package-manifest.ts';

/** What the platform itself runs on, and so has at hand. */
export const DEFAULT_NODE_MAJOR = 24;
/** Ranges are compared part by part: nobody means a longer one. */
export const MAX_VERSION_CHARACTERS = 200;
const NEWEST_FIRST = [26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 8, 6, 4];
const CODE_NAMES: Readonly<Record<string, string>> = {
  argon: '4',
  boron: '6',
  carbon: '8',
  dubnium: '10',
  erbium: '12',
  fermium: '14',
  gallium: '16',
  hydrogen: '18',
  iron: '20',
  jod: '22',
  krypton: '24',
};

export interface NodeChoice {
  /** Null: the default. */
  version: string | null;
  notes: readonly string[];
}

/**
 * The version that a file or Volta pins, as long as `engines` allows it: a stale `.nvmrc` must not break what
 * `engines` promises. Otherwise the range of `engines`.
 */
export async function chooseNode(files: ProjectFiles, manifest: PackageManifest): Promise<NodeChoice> {
  const engine = toRange(manifest.engines['node']);
  const pinned =
    toRange(await files.read('.nvmrc')) ??
    toRange(await files.read('.node-version')) ??
    toRange(manifest.volta['node']) ??
    toRange((await files.read('.tool-versions'))?.match(/^nodejs\s+(\S+)/m)?.[1]);
  if (!pinned || !engine || intersects(pinned, engine)) return { version: pinned ?? engine, notes: [] };
  return {
    version: engine,
    notes: [`Node ${engine} of package.json's engines is used; it does not allow the pinned version ${pinned}.`],
  };
}

/** The default where the range allows it, else the newest that it allows. */
export function nodeMajorFor(version: string | null): number {
  if (!version || !validRange(version) || isMajorIn(DEFAULT_NODE_MAJOR, version)) return DEFAULT_NODE_MAJOR;
  return NEWEST_FIRST.find((candidate) => isMajorIn(candidate, version)) ?? DEFAULT_NODE_MAJOR;
}

function isMajorIn(major: number, range: string): boolean {
  return satisfies(`${major}.99.99`, range) || intersects(`${major}.x`, range);
}

function toRange(text: string | null | undefined): string | null {
  const wanted = text
    ?.split('\n')[0]
    ?.replace(/#.*/, '')
    .trim()
    .replace(/^v(?=\d)/, '');
  if (
    !wanted ||
    wanted.length > MAX_VERSION_CHARACTERS ||
    /^(\*|x|latest|node|stable|current|lts(\/\*)?)$/i.test(wanted)
  )
    return null;
  const named = CODE_NAMES[wanted.replace(/^lts[/-]/i, '').toLowerCase()];
  if (named) return named;
  if (/^lts\//i.test(wanted)) return null;
  return validRange(wanted) ? wanted : (coerce(wanted)?.version ?? null);
}
