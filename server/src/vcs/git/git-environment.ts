import { proxyVariables } from '../proxy.ts';
import type { AdmittedHost } from './admit-host.ts';
import type { Repository } from './repository.ts';

export interface GitHome {
  /** An empty folder of our own: git finds no settings, no credentials and no repository in it. */
  folder: string;
  /** Proxies and certificate bundles of this machine. */
  hostVariables: Readonly<Record<string, string>>;
  /** What each git may have of memory, where it is not the usual. */
  memoryBytes?: number;
}

/** The environment of a git that touches only what is on this disk. Nothing is inherited. */
export function localEnvironment({ folder }: GitHome, gitDir?: string): Record<string, string> {
  return { ...fixedEnvironment(folder), ...(gitDir && { GIT_DIR: gitDir }), ...toVariables(SAFE_SETTINGS) };
}

/** The environment of a git that speaks to the repository's host. The credential is in here and nowhere else. */
export function remoteEnvironment(
  home: GitHome,
  call: { repository: Repository; host: AdmittedHost; gitDir?: string; settings?: Record<string, string> },
): Record<string, string> {
  const { repository, host, gitDir } = call;
  const settings: Setting[] = [...SAFE_SETTINGS, ...REMOTE_SETTINGS, ['remote.origin.url', repository.url]];
  settings.push(...Object.entries(call.settings ?? {}));
  if (host.pin) settings.push(['http.curloptResolve', host.pin]);
  // For this origin only: were git ever led elsewhere, the credential would not follow.
  const headerOfOrigin = `http.${new URL(repository.url).origin}/.extraHeader`;
  if (repository.credential) settings.push([headerOfOrigin, authorizationOf(repository.credential)]);
  return {
    ...fixedEnvironment(home.folder),
    ...networkVariables(home.hostVariables),
    ...(gitDir && { GIT_DIR: gitDir }),
    GIT_ALLOW_PROTOCOL: host.protocols,
    ...toVariables(settings),
  };
}

export const authorizationOf = ({ username, password }: NonNullable<Repository['credential']>) =>
  `Authorization: Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

type Setting = readonly [key: string, value: string];

const fixedEnvironment = (folder: string): Record<string, string> => ({
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: folder,
  XDG_CONFIG_HOME: folder,
  LC_ALL: 'C.UTF-8',
  LANGUAGE: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TEMPLATE_DIR: '',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  SSH_ASKPASS: '',
  GIT_ALLOW_PROTOCOL: '',
  GIT_PROTOCOL_FROM_USER: '0',
  GIT_LFS_SKIP_SMUDGE: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_CEILING_DIRECTORIES: folder.slice(0, folder.lastIndexOf('/')),
});

/** No program of the repository's or the machine's choosing is ever started by git. */
const SAFE_SETTINGS: readonly Setting[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.attributesFile', '/dev/null'],
  ['core.excludesFile', '/dev/null'],
  ['core.symlinks', 'true'],
  ['core.protectHFS', 'true'],
  ['core.protectNTFS', 'true'],
  ['core.autocrlf', 'false'],
  ['core.fsync', 'none'],
  ['credential.helper', ''],
  ['submodule.recurse', 'false'],
  ['protocol.allow', 'never'],
  ['gc.auto', '0'],
  // Larger files are never held as a whole, and packs are looked at through small windows.
  ['core.bigFileThreshold', '64m'],
  ['core.packedGitWindowSize', '32m'],
  ['core.packedGitLimit', '256m'],
  ['pack.threads', '2'],
  ['maintenance.auto', 'false'],
  ['advice.detachedHead', 'false'],
];

const REMOTE_SETTINGS: readonly Setting[] = [
  ['protocol.version', '2'],
  ['http.followRedirects', 'false'],
  ['http.lowSpeedLimit', '1000'],
  ['http.lowSpeedTime', '30'],
  ['http.userAgent', 'git/lilac'],
  ['fetch.recurseSubmodules', 'false'],
  // Always one pack, written as it comes.
  ['fetch.unpackLimit', '1'],
  // What the host leaves out of a filtered fetch it promises to give later. Said here and never on disk:
  // a git that only reads can therefore not go and fetch by itself.
  ['remote.origin.promisor', 'true'],
  ['remote.origin.partialclonefilter', 'blob:none'],
  ['transfer.bundleURI', 'false'],
  ['fetch.fsckObjects', 'true'],
  // Old tools left these in honest repositories; none of them is about where a file lands.
  ...[
    'badDate',
    'badDateOverflow',
    'badEmail',
    'badName',
    'badTimezone',
    'missingAuthor',
    'missingEmail',
    'missingNameBeforeEmail',
    'missingSpaceBeforeDate',
    'missingSpaceBeforeEmail',
    'missingTaggerEntry',
    'multipleAuthors',
    'zeroPaddedDate',
    'zeroPaddedFilemode',
    'gitmodulesParse',
    'gitmodulesName',
    'gitmodulesUrl',
    'gitmodulesPath',
    'gitmodulesUpdate',
    'gitmodulesMissing',
    'gitmodulesBlob',
    'gitmodulesLarge',
  ].map((id): Setting => [`fetch.fsck.${id}`, 'ignore']),
];

function networkVariables(hostVariables: GitHome['hostVariables']): Record<string, string> {
  const bundle = hostVariables['CURL_CA_BUNDLE'] ?? hostVariables['SSL_CERT_FILE'];
  const folder = hostVariables['SSL_CERT_DIR'];
  return {
    ...proxyVariables(hostVariables),
    ...(bundle && { GIT_SSL_CAINFO: bundle }),
    ...(folder && !bundle && { GIT_SSL_CAPATH: folder }),
  };
}

function toVariables(settings: readonly Setting[]): Record<string, string> {
  const pairs = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key] as const,
    [`GIT_CONFIG_VALUE_${index}`, value] as const,
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(pairs) };
}
