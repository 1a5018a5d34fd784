import { existsSync, lstatSync, readdirSync, readlinkSync } from 'node:fs';

/** What a sandbox shows of the machine's own files, read-only. */
export type SystemEntry = { kind: 'bind'; path: string } | { kind: 'link'; path: string; target: string };

const PROGRAMS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** Of /etc only what programs need to find libraries, hosts and certificates: the rest may hold secrets. */
const SETTINGS = [
  'alternatives',
  'ca-certificates',
  'ca-certificates.conf',
  'crypto-policies',
  'debian_version',
  'fonts',
  'gai.conf',
  'host.conf',
  'hosts',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'locale.alias',
  'localtime',
  'magic',
  'mime.types',
  'networks',
  'npmrc',
  'nsswitch.conf',
  'os-release',
  'php',
  'pip.conf',
  'pki',
  'protocols',
  'resolv.conf',
  'services',
  'ssl/certs',
  'ssl/openssl.cnf',
  'timezone',
].map((name) => `/etc/${name}`);

export function readSystemView(): SystemEntry[] {
  return [...readPrograms(), ...listSettings().map(bind)];
}

/** Without the settings in /etc: who shows a copy of those needs one mount instead of thirty. */
export const readPrograms = (): SystemEntry[] => PROGRAMS.flatMap(describe);
export const listSettings = (): string[] => [...SETTINGS.filter((path) => existsSync(path)), ...listJavaSettings()];

/** A JDK of Debian keeps its settings here, by version, and does not start without them. */
const JAVA_SETTINGS = /^java(-\d+)?-openjdk$/;

function listJavaSettings(): string[] {
  return readdirSync('/etc')
    .filter((name) => JAVA_SETTINGS.test(name))
    .map((name) => `/etc/${name}`);
}

/** Distributions keep /bin and its like as links into /usr, or as folders. */
function describe(path: string): SystemEntry[] {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (!status) return [];
  return [status.isSymbolicLink() ? { kind: 'link', path, target: readlinkSync(path) } : bind(path)];
}

const bind = (path: string): SystemEntry => ({ kind: 'bind', path });

/** Where everybody on a machine may write, besides /tmp. */
const SHARED_PLACES = ['/var/tmp', '/dev/shm', '/dev/mqueue', '/run/lock', '/var/lock'];

/** Who sees the system as it is gets something of its own in these. What is a link leads to one of the others. */
export const sharedPlaces = (): string[] =>
  SHARED_PLACES.filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory());

/** Whether a program in the sandbox sees this file of the machine. */
export function isShown(path: string): boolean {
  return [...PROGRAMS, ...SETTINGS, ...listJavaSettings()].some(
    (shown) => path === shown || path.startsWith(`${shown}/`),
  );
}
