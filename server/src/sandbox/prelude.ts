import { findProgram } from '../lib/find-program.ts';
import { SANDBOX_HOME, type Mount } from './sandbox.ts';

/**
 * What happens, as root or in a user namespace of our own, between the start of a sandbox and the
 * program that shuts it: enter the control groups, and show the folders that lie in the closed
 * LILAC_HOME in a mount namespace that ends with the sandbox, so that no mount can be left behind.
 * First of all, whatever whoever started the platform had open is shut: only descriptors up to the given
 * one are handed over.
 *
 * A fixed text; everything of a request is a positional argument.
 */
export const PRELUDE = `
last=$1; shift
for fd in /proc/self/fd/*; do
  fd=\${fd##*/}
  [ "$fd" -gt "$last" ] || continue
  case $fd in
    [0-9]) eval "exec $fd>&-" ;;
    *) if [ -n "$BASH_VERSION" ]; then eval "exec $fd>&-"; else echo "only bash can close descriptor $fd"; exit 125; fi ;;
  esac
done
set -e
while [ "$1" != -- ]; do
  case $1 in
    merge) exec 2>&1; shift ;;
    note) read -r line < /proc/self/stat; echo "$line" > "$2"; shift 2 ;;
    files) ulimit -f "$2" 2>/dev/null || :; shift 2 ;;
    enter) echo 0 > "$2"; shift 2 ;;
    stage) mount -t tmpfs -o mode=755,nosuid,nodev,size=4m tmpfs "$2"; shift 2 ;;
    folder) if [ -d "$2" ]; then mkdir -p "$3"; else mkdir -p "\${3%/*}"; [ -e "$3" ] || : > "$3"; fi
      mount --bind "$2" "$3"; shift 3 ;;
    scratch) mount -t tmpfs -o "$3" tmpfs "$2"; shift 3 ;;
    layers) mkdir "$2/.upper" "$2/.work" "$2/tmp" "$2/user"; chown -- "$3" "$2/.upper" "$2/tmp" "$2/user"; shift 3 ;;
    table) mount -a -T "$2"; shift 2 ;;
    overlay) mkdir -p "$3"; mount -t overlay overlay -o "$2" "$3"; shift 3 ;;
    show) mount --move "$2" "$3"; shift 3 ;;
    private) mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$2"; shift 2 ;;
    proc) mount -t proc proc /proc; shift ;;
    *) echo "unknown step $1"; exit 125 ;;
  esac
done
shift
cd /
exec "$@"
`;

/** Any shell will do, but only bash can close descriptors above 9. */
export const preludeArgv = ({ lastDescriptor = 3 } = {}): string[] => [
  findProgram(['bash', 'sh'], '/usr/bin:/bin') ?? '/bin/sh',
  '-c',
  PRELUDE,
  'sh',
  String(lastDescriptor),
];

export const enterSteps = (entrances: readonly string[]): string[] => entrances.flatMap((path) => ['enter', path]);

/** The most one file may have; a shell that is no bash counts in blocks of half the size. */
export const fileSizeSteps = (mebibytes: number): string[] => ['files', String(mebibytes * 1024)];

export interface Staging {
  stage: string;
  mounts: readonly Mount[];
  /** Relative to the stage. */
  placeOf: (mount: Mount, index: number) => string;
  isRoot: boolean;
}

/** The steps that put the mounts below one folder, which then takes the place of /home. */
export function stageMounts({ stage, mounts, placeOf, isRoot }: Staging): string[] {
  const steps = mounts.flatMap((mount, index) => {
    const place = `${stage}/${placeOf(mount, index)}`;
    return mount.kind === 'folder' ? ['folder', mount.from, place] : ['overlay', overlayOptions(mount, isRoot), place];
  });
  // A plain user's folders need not leave the home that is its own.
  return ['stage', stage, ...steps, ...(isRoot ? ['show', stage, SANDBOX_HOME] : [])];
}

export function overlayOptions(
  { lower, upper, work }: Pick<Extract<Mount, { kind: 'overlay' }>, 'lower' | 'upper' | 'work'>,
  isRoot: boolean,
): string {
  const options = [`lowerdir=${quote(lower)}`, `upperdir=${quote(upper)}`, `workdir=${quote(work)}`];
  return [...options, ...(isRoot ? [] : ['userxattr'])].join(',');
}

/** Backslashes guard what the option's own syntax would take for an end. */
const quote = (path: string): string => path.replaceAll(/[\\,:]/g, (character) => `\\${character}`);
