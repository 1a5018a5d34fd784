import { readdirSync, readFileSync } from 'node:fs';
import { findProgram } from '../lib/find-program.ts';
import { SANDBOX_HOME, type Mount } from './sandbox.ts';

/**
 * What happens, as root or in a user namespace of our own, between the start of a sandbox and the
 * program that shuts it: enter the control groups, and show the folders that lie in the closed
 * LILAC_HOME in a mount namespace that ends with the sandbox, so that no mount can be left behind.
 * First of all, whatever whoever started the platform had open is shut: only descriptors up to the given
 * one are handed over.
 * What a sandbox writes over a kept folder is never read after a crash. So its overlay is volatile, where the kernel
 * knows that (5.10): otherwise the end of every sandbox would wait until the whole file system is written. It
 * leaves a mark for who would trust it after a crash, which is removed before the next sandbox goes on with it.
 *
 * A fixed text; everything of a request is a positional argument.
 */
const PRELUDE = `
last=$1; shift
here=/
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
    expendable) { echo "$2" > /proc/self/oom_score_adj; } 2>/dev/null || :; shift 2 ;;
    files) case "$BASH_VERSION:$SHELLOPTS" in :*|*posix*) kib=$(($2 * 2)) ;; *) kib=$2 ;; esac
      ulimit -f "$kib" 2>/dev/null || :; shift 2 ;;
    enter) echo 0 > "$2"; shift 2 ;;
    stage) mount -t tmpfs -o mode=755,nosuid,nodev,size=4m tmpfs "$2"; shift 2 ;;
    folder) if [ -d "$2" ]; then mkdir -p "$3"; else mkdir -p "\${3%/*}"; [ -e "$3" ] || : > "$3"; fi
      mount --bind "$2" "$3"; shift 3 ;;
    scratch) mount -t tmpfs -o "$3" tmpfs "$2"; shift 3 ;;
    layers) install -d -o "$3" -g "$3" "$2/.upper" "$2/.work" "$2/.shm" "$2/tmp" "$2/user"; shift 3 ;;
    table) mount -a -T "$2"; shift 2 ;;
    overlay) mkdir -p "$3"; [ ! -e "$4/work/incompat" ] || rm -rf "$4/work/incompat"
      mount -t overlay overlay -o "$2,volatile" "$3" 2>/dev/null || mount -t overlay overlay -o "$2" "$3"; shift 4 ;;
    show) mount --move "$2" "$3"; shift 3 ;;
    private) mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$2"; shift 2 ;;
    proc) mount -t proc proc /proc; shift ;;
    at) here=$2; shift 2 ;;
    *) echo "unknown step $1"; exit 125 ;;
  esac
done
shift
cd "$here"
exec "$@"
`;

/** Any shell will do, and a small one is faster; but only bash can close descriptors above 9. */
export const preludeArgv = ({ lastDescriptor = 3 } = {}): string[] => [
  findProgram(hasHighDescriptors() ? ['bash', 'sh'] : ['sh'], '/usr/bin:/bin') ?? '/bin/sh',
  '-c',
  PRELUDE,
  'sh',
  String(lastDescriptor),
];

export const enterSteps = (entrances: readonly string[]): string[] => entrances.flatMap((path) => ['enter', path]);

/** The most one file may have; shells count in KiB (bash) or in blocks of half that. */
export const fileSizeSteps = (mebibytes: number): string[] => ['files', String(mebibytes * 1024)];

let inherited: boolean | undefined;

/** Whether whoever started the platform left descriptors open that programs would inherit: Node's own they do not. */
function hasHighDescriptors(): boolean {
  inherited ??= readdirSync('/proc/self/fdinfo').some((name) => Number(name) > 9 && !closesOnExec(name));
  return inherited;
}

const CLOSE_ON_EXEC = 0o2000000;

function closesOnExec(descriptor: string): boolean {
  try {
    const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) !== 0;
  } catch {
    return true;
  }
}

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
    if (mount.kind === 'folder') return ['folder', mount.from, place];
    return ['overlay', overlayOptions(mount, isRoot), place, mount.work];
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
