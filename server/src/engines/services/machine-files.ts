import { lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Where programs and what they load are; where one of these is a link, the image has the same link. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
/** How libraries are found, and how the kernel's numbers of users are called. */
const SETTINGS = [
  '/etc/alternatives',
  '/etc/group',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/nsswitch.conf',
  '/etc/passwd',
];

/** What a container needs of the machine to run the machine's own programs: those that made the files. */
export const systemPaths = (): string[] => [...SYSTEM.filter(isFolder), ...SETTINGS.filter(isThere)];

/** The folders of programs that lie elsewhere, each with what is installed beside it (`lib`, `share`). */
export function programFolders(argv: readonly string[], shown: readonly string[]): string[] {
  const programs = argv.filter((word) => word.startsWith('/') && isProgram(word));
  const paths = programs.flatMap((path) => [path, realpathSync(path)]).filter((path) => !isWithin(path, shown));
  return [...new Set(paths.map(installedAt))];
}

/** `/opt/postgresql/bin/postgres` is installed at `/opt/postgresql`. */
function installedAt(program: string): string {
  const folder = dirname(program);
  return dirname(folder) === '/' ? folder : dirname(folder);
}

export const isWithin = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isProgram(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && found.isFile() && (found.mode & 0o111) !== 0;
}
