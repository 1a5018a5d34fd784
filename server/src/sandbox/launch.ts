import { bubblewrapOptions, encodeOptions } from './bubblewrap.ts';
import type { HostAbilities } from './detect-isolation.ts';
import { enterSteps, fileSizeSteps, preludeArgv, stageMounts } from './prelude.ts';
import { SANDBOX_HOME, type Mount, type SandboxRequest } from './sandbox.ts';
import { roomFilter } from './seccomp/call-filter.ts';
import { readSystemView, sharedPlaces } from './system-view.ts';

/** The environment of what runs before the sandbox is shut: nothing of the request may reach it. */
export const PROGRAM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export interface Launch {
  argv: readonly [string, ...string[]];
  /** Written to descriptor 3: the values of variables must be in no argv. */
  handedOver: Buffer;
  /** Written to descriptor 4: the filter of system calls; null: there is none. */
  filter: Buffer | null;
}

const CALLS_DESCRIPTOR = 4;

export interface LaunchOptions {
  request: SandboxRequest;
  host: HostAbilities;
  /** An empty folder: in the sandbox's own mount namespace the mounts are gathered here. */
  stage: string;
  entrances: readonly string[];
}

/** How the sandbox is started, layer by layer: groups, mounts, no privileges, no view, the program. */
export function planLaunch(options: LaunchOptions): Launch {
  return options.host.bubblewrap ? planWrapped(options, options.host.bubblewrap) : planBare(options);
}

function planWrapped({ request, host, stage, entrances }: LaunchOptions, program: string): Launch {
  // A plain user's bubblewrap finds the folders by itself; it only cannot lay them over one another.
  const isStaged = host.isRoot || request.mounts.some(({ kind }) => kind === 'overlay');
  const base = host.isRoot ? SANDBOX_HOME : stage;
  const filter = host.canFilterCalls ? roomFilter() : null;
  const options = bubblewrapOptions({
    system: readSystemView(),
    mounts: request.mounts.map((mount, index) => ({
      from: mount.kind === 'folder' && !isStaged ? mount.from : `${base}/${index}`,
      at: mount.at,
      isWritable: mount.kind === 'overlay' || mount.isWritable,
    })),
    env: request.env,
    cwd: request.cwd,
    canForbidNamespaces: host.canForbidNamespaces,
    isDetached: false,
    descriptors: { status: null, calls: filter && CALLS_DESCRIPTOR, resolvConf: null },
  });
  const staging = { stage, mounts: request.mounts, placeOf: indexOf, isRoot: host.isRoot };
  const argv = dieWithParent.concat(
    isStaged ? namespaceArgv(host.isRoot) : [],
    preludeArgv(filter ? { lastDescriptor: CALLS_DESCRIPTOR } : {}),
    firstSteps(entrances),
    isStaged ? stageMounts(staging) : [],
    ['--'],
    host.isRoot ? dropArgv(request.uid) : [],
    [program, '--args', '3', '--'],
    request.argv,
  );
  return { argv: argv as [string, ...string[]], handedOver: encodeOptions(options), filter };
}

const indexOf = (_mount: Mount, index: number): string => String(index);

/** Without bubblewrap, as root: the system is seen, and guarded by its own permissions. */
function planBare({ request, host, stage, entrances }: LaunchOptions): Launch {
  const mounts = request.mounts.filter(({ at }) => at.startsWith(`${SANDBOX_HOME}/`));
  const argv = dieWithParent.concat(
    ['unshare', '--mount', '--propagation', 'slave', '--pid', '--ipc', '--uts', '--fork', '--kill-child', '--'],
    preludeArgv(),
    firstSteps(entrances),
    stageMounts({ stage, mounts, placeOf: ({ at }) => at.slice(SANDBOX_HOME.length + 1), isRoot: host.isRoot }),
    ['/tmp', ...sharedPlaces()].flatMap((place) => ['private', place]),
    ['proc', '--'],
    dropArgv(request.uid),
    bareProgramArgv(request.cwd),
    request.argv,
  );
  return { argv: argv as [string, ...string[]], handedOver: Buffer.from(exportsOf(request.env)), filter: null };
}

const dieWithParent = ['setpriv', '--pdeathsig', 'KILL', '--'];

/**
 * A mount namespace of our own; a plain user needs a user namespace for it. What the machine unmounts goes from it as
 * well: it must not hold on to the volume of a database that is removed.
 */
export function namespaceArgv(isRoot: boolean): string[] {
  return ['unshare', ...(isRoot ? [] : ['--map-root-user']), '--mount', '--propagation', 'slave', '--'];
}

/** From here on there is no way back to any privilege. */
export function dropArgv(uid: number): string[] {
  const id = String(uid);
  const nothing = ['--no-new-privs', '--inh-caps', '-all', '--bounding-set', '-all'];
  return ['setpriv', '--reuid', id, '--regid', id, '--clear-groups', ...nothing, '--'];
}

/** Both streams of a build are one; a file may have 8 GiB. */
const firstSteps = (entrances: readonly string[]): string[] => [
  'merge',
  ...fileSizeSteps(8192),
  ...enterSteps(entrances),
];

/** Without bubblewrap the variables come as shell text through descriptor 3. */
const bareProgramArgv = (cwd: string): string[] => [
  '/bin/sh',
  '-c',
  'eval "$(cat <&3)"; exec 3<&-; cd "$1"; shift; exec "$@"',
  'sh',
  cwd,
];

/** Read by the sandboxed shell itself, which has nothing to lose by it. */
export function exportsOf(env: Readonly<Record<string, string>>): string {
  const names = Object.keys(env).filter((name) => /^[A-Za-z_]\w*$/.test(name));
  return names.map((name) => `export ${name}='${env[name]?.replaceAll("'", "'\\''")}'\n`).join('');
}
