import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { environmentForRoles, type Config } from '../../config.ts';
import type { Log } from '../../lib/log.ts';
import type { Mount } from '../../sandbox/sandbox.ts';
import { isShown } from '../../sandbox/system-view.ts';
import { SYSTEM_PATH } from '../build-environment.ts';
import { findPythons } from './host-python.ts';
import { findHostTool } from './host-tools.ts';
import { NOTED_MS } from './kept-tool.ts';
import { isHostTool, isRegistryTool } from './needed-tools.ts';
import {
  createRegistry,
  ownNode,
  ownNodeApart,
  packageOf,
  shownNpm,
  type OwnNode,
  type Registry,
} from './registry-tools.ts';
import { toolOfHost, type HostTool, type Tool } from './tool.ts';

/** What an instance runs on, as its sandbox finds it. */
export interface RunTools {
  mounts: Mount[];
  /** Before the system's own. */
  searchPath: string[];
  env: Record<string, string>;
  /** The Node among them, where the instance is given it. */
  node: { version: string; at: string; program: string } | null;
}

export interface RunToolsDeps {
  config: Config;
  log: Log;
  /** Whether instances see the programs of an image, and not those of this machine. */
  areInImage: boolean;
  /** What this platform runs on. */
  own?: OwnNode;
}

/** How long a tool may take that has to be brought back. */
const BRING_MS = 5 * 60_000;

/**
 * Finds the tools that a slug was built with, by their exact versions: `{ node: '24.21.0' }`. What was evicted
 * is brought back. Rejects with a sentence for people where this machine cannot have one.
 */
export function createRunTools(deps: RunToolsDeps) {
  const known = new Map<string, { foundAt: number; found: RunTools }>();
  return async (wanted: Readonly<Record<string, string>>): Promise<RunTools> => {
    const key = JSON.stringify(Object.entries(wanted).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    const last = known.get(key);
    // Its use is to be noted from time to time.
    if (last && Date.now() - last.foundAt < NOTED_MS && areThere(last.found)) return last.found;
    const found = await findTools(wanted, deps);
    deps.log.debug({ wanted }, 'tools of instances are at hand');
    known.set(key, { foundAt: Date.now(), found });
    return found;
  };
}

const areThere = ({ mounts }: RunTools): boolean =>
  mounts.every((mount) => mount.kind !== 'folder' || existsSync(mount.from));

async function findTools(wanted: Readonly<Record<string, string>>, deps: RunToolsDeps): Promise<RunTools> {
  const bringing = { config: deps.config, signal: AbortSignal.timeout(BRING_MS) };
  const search: Search = {
    path: environmentForRoles(deps.config).PATH,
    registry: createRegistry(bringing),
    ownVersion: deps.own?.version ?? process.versions.node,
    ownNode: async () => (deps.areInImage ? ownNodeApart(bringing, deps.own) : ownNode(deps.own)),
  };
  const tools: Tool[] = [];
  for (const [name, version] of Object.entries(wanted)) tools.push(await findTool(name, version, search));
  const own = tools.toReversed().flatMap(({ searchPath }) => searchPath);
  return {
    mounts: tools.flatMap(({ mounts }) => mounts),
    searchPath: [...new Set(own.filter((folder) => !SYSTEM_PATH.includes(folder)))],
    env: Object.assign({}, ...tools.map(({ env }) => env)) as Record<string, string>,
    node: givenNode(tools.find(({ name }) => name === 'node')),
  };
}

function givenNode(tool: Tool | undefined): RunTools['node'] {
  const [mount] = tool?.mounts ?? [];
  const [programs = ''] = tool?.searchPath ?? [];
  return tool && mount ? { version: tool.version, at: mount.at, program: join(programs, 'node') } : null;
}

interface Search {
  path: string | undefined;
  registry: Registry;
  ownVersion: string;
  ownNode: () => Promise<Tool>;
}

async function findTool(name: string, version: string, search: Search): Promise<Tool> {
  if (isRegistryTool(name)) {
    if (name === 'node' && version === search.ownVersion) return search.ownNode();
    const shown = name === 'npm' ? shownNpm(search.registry.hostNpm) : null;
    return shown?.version === version ? shown : search.registry.install(name, packageOf(name, version, process.arch));
  }
  if (!isHostTool(name)) throw new Error(`This needs ${name}, which the platform does not know.`);
  const found =
    name === 'python' ? findSame(await findPythons(search.path), version) : await findHostTool(name, search.path);
  if (found) return toolOfHost(found);
  throw new Error(
    `This was built with ${name} ${version}, which is not on this machine. Build it again, or install that.`,
  );
}

/**
 * A virtual environment holds the place of its Python: only the system's own is in the same place whatever its patch.
 */
function findSame(pythons: readonly HostTool[], version: string): HostTool | null {
  const sameMinor = pythons.find((each) => minorOf(each.version) === minorOf(version) && isShown(each.program));
  return pythons.find((each) => each.version === version) ?? sameMinor ?? null;
}

const minorOf = (version: string): string => version.split('.').slice(0, 2).join('.');
