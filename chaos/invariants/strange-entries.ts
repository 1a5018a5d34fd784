import { join, relative } from 'node:path';
import { pathsOf } from '../../server/src/config.ts';
import { namesIn } from './left-processes.ts';

/**
 * What may be in the folders of a home besides what `pathsOf` names. What has the id of something is looked at by its
 * own check; deeper down are things of tenants, and of the programs that are run.
 */
const KINDS: Readonly<Record<string, RegExp>> = {
  '': /^$/,
  store: /^start\.lock$/,
  secrets: /^$/,
  logs: /^$/,
  run: /^(sandboxes|network|addresses|ready\.json)$/,
  'run/edges': /^\d+\.sock$/,
  'run/network': /^(slots|ports|range\.json|networks\.lock)$/,
  'run/network/slots': /^\d+\.json$/,
  'run/sandboxes': /^stage$/,
  cache: /^$/,
  'cache/builds': /^(environments|stores|trash|uses)$/,
  'cache/builds/environments': /^env_\w+$/,
  'cache/builds/stores': /^org_\w+$/,
  // What is there is removed by whoever makes room next.
  'cache/builds/trash': /^[0-9a-f]{16}$/,
  'cache/databases': /^(postgresql|mysql)-[\w.-]+$/,
  'cache/repositories': /^(\.home|[0-9a-f]{32}\.(git|lock|fetcher))$/,
  'cache/slugs': /^art_\w+$/,
  instances: /^(ins_\w+|\.stage|\.etc-[0-9a-f]+)$/,
  outputs: /^ins_\w+$/,
  databases: /^dbs_\w+$/,
  objects: /^(blobs|manifests|uploads|~incoming)$/,
  'edge-cache': /^(blobs|manifests)$/,
};

/** Everything in a home that nothing of the platform should have put there, by its name. */
export function strangeEntries(home: string): string[] {
  return Object.keys(KINDS)
    .flatMap((folder) => namesIn(join(home, folder)).map((name) => join(folder, name)))
    .filter((path) => !mayBeThere(path));
}

/** By its path from the home. */
export function mayBeThere(path: string): boolean {
  // While something is written alone, it has a lock beside it.
  const named = path.replace(/\.lock$/, '');
  if (NAMED.has(path) || NAMED.has(named)) return true;
  const at = path.lastIndexOf('/');
  const [folder, name] = at === -1 ? ['', path] : [path.slice(0, at), path.slice(at + 1)];
  return KINDS[folder]?.test(name) ?? true;
}

/** What has a name in the configuration, and the folders on the way to it. */
const NAMED: ReadonlySet<string> = new Set(
  Object.values(pathsOf({ home: '/' })).flatMap((path) => {
    const parts = relative('/', path).split('/');
    return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
  }),
);
