import { minVersion, valid, validRange } from 'semver';
import type { PackageManagerName, Plan } from '../../plan.ts';
import type { ProjectFiles } from '../project-files.ts';
import { parseYaml, toText } from '../parse/read-data.ts';
import { MAX_VERSION_CHARACTERS } from './node-version.ts';
import type { PackageManifest } from './package-manifest.ts';

export type PackageManager = NonNullable<Plan['packageManager']>;

export interface ManagerChoice {
  manager: PackageManager;
  /** In the folder that was looked at; null where there is none. */
  lockFile: string | null;
  notes: readonly string[];
}

/** Where several lock files lie about, the first of these is the one in use: npm's is often a leftover. */
const LOCK_FILES: readonly { file: string; name: PackageManagerName }[] = [
  { file: 'pnpm-lock.yaml', name: 'pnpm' },
  { file: 'bun.lock', name: 'bun' },
  { file: 'bun.lockb', name: 'bun' },
  { file: 'yarn.lock', name: 'yarn' },
  { file: 'package-lock.json', name: 'npm' },
  { file: 'npm-shrinkwrap.json', name: 'npm' },
];

/** `packageManager` says it exactly; else the lock file; else what `engines` and the workspaces hint at. */
export async function choosePackageManager(files: ProjectFiles, manifest: PackageManifest): Promise<ManagerChoice> {
  const locks = LOCK_FILES.filter(({ file }) => files.fileNames.has(file));
  const stated = readStated(manifest.packageManager);
  const name = stated?.name ?? locks[0]?.name ?? guessName(files, manifest);
  const lockFile = locks.find((lock) => lock.name === name)?.file ?? null;
  const version = stated?.version ?? (await readVersion(files, manifest, { name, lockFile }));
  return { manager: { name, version }, lockFile, notes: lockNotes(name, locks) };
}

export function installCommand({ manager, lockFile }: ManagerChoice): string {
  if (manager.name === 'npm') return lockFile ? 'npm ci' : 'npm install';
  if (manager.name === 'pnpm') return `pnpm install ${lockFile ? '--frozen-lockfile' : '--no-frozen-lockfile'}`;
  if (manager.name === 'bun') return lockFile ? 'bun install --frozen-lockfile' : 'bun install';
  if (isYarnBerry(manager)) return `yarn install ${lockFile ? '--immutable' : '--no-immutable'}`;
  return lockFile ? 'yarn install --frozen-lockfile' : 'yarn install';
}

export function runScript(manager: PackageManager, script: string): string {
  return `${manager.name} run ${script}`;
}

/** Runs a program that a dependency brings. */
export function runProgram(manager: PackageManager, command: string): string {
  const runner = { npm: 'npx', pnpm: 'pnpm exec', yarn: 'yarn run', bun: 'bunx' }[manager.name];
  return `${runner} ${command}`;
}

/** Version 1 went its own ways. */
export function isYarnBerry({ name, version }: PackageManager): boolean {
  return name === 'yarn' && version !== null && !/^1(\.|$)/.test(version);
}

function readStated(text: string | null): PackageManager | null {
  const match = text?.match(/^(npm|pnpm|yarn|bun)(?:@([^+\s]+))?/);
  if (!match) return null;
  return { name: match[1] as PackageManagerName, version: toVersion(match[2]) };
}

/** An exact version as it is, a range as its lowest major. */
function toVersion(text: string | undefined): string | null {
  if (!text || text === '*' || text.length > MAX_VERSION_CHARACTERS) return null;
  if (valid(text)) return valid(text);
  const lowest = validRange(text) ? minVersion(text) : null;
  return lowest && lowest.major > 0 ? String(lowest.major) : null;
}

function guessName(files: ProjectFiles, manifest: PackageManifest): PackageManagerName {
  if (files.fileNames.has('pnpm-workspace.yaml')) return 'pnpm';
  if (files.fileNames.has('.yarnrc.yml')) return 'yarn';
  if (files.fileNames.has('bunfig.toml')) return 'bun';
  return (['pnpm', 'bun', 'yarn'] as const).find((name) => manifest.engines[name] ?? manifest.volta[name]) ?? 'npm';
}

async function readVersion(
  files: ProjectFiles,
  manifest: PackageManifest,
  { name, lockFile }: { name: PackageManagerName; lockFile: string | null },
): Promise<string | null> {
  const pinned = manifest.volta[name] && valid(manifest.volta[name]);
  if (pinned) return pinned;
  if (name === 'pnpm' && lockFile) return pnpmMajor((await files.read(lockFile)) ?? '');
  if (name === 'yarn') return yarnVersion(files, lockFile);
  return name === 'npm' ? null : toVersion(manifest.engines[name]);
}

/** Lock files name the version of their format: 5.3 is pnpm 6's, 5.4 is 7's, 6 is 8's, 9 is 9's and later ones'. */
function pnpmMajor(lock: string): string | null {
  const format = lock.slice(0, 400).match(/^lockfileVersion:\s*['"]?([\d.]+)/m)?.[1];
  if (!format) return null;
  const byFormat: readonly [string, string][] = [
    ['5.4', '7'],
    ['5', '6'],
    ['6', '8'],
    ['7', '9'],
  ];
  return byFormat.find(([prefix]) => format.startsWith(prefix))?.[1] ?? '9';
}

async function yarnVersion(files: ProjectFiles, lockFile: string | null): Promise<string | null> {
  const kept = toText(parseYaml('.yarnrc.yml', (await files.read('.yarnrc.yml')) ?? '')['yarnPath']);
  const exact = kept?.slice(-MAX_VERSION_CHARACTERS).match(/yarn-(\d+\.\d+\.\d+[\w.-]*)\.[cm]?js$/)?.[1];
  if (exact) return exact;
  const lock = lockFile ? ((await files.read(lockFile)) ?? '') : '';
  const format = Number(lock.slice(0, 1000).match(/^__metadata:\s+version:\s*(\d+)/m)?.[1]);
  if (format) return format >= 7 ? '4' : format >= 5 ? '3' : '2';
  return files.fileNames.has('.yarnrc.yml') ? '4' : '1';
}

function lockNotes(name: PackageManagerName, locks: readonly { file: string; name: PackageManagerName }[]): string[] {
  const others = locks.filter((lock) => lock.name !== name).map((lock) => lock.file);
  if (others.length === 0) return [];
  return [`${name} installs the packages; ${others.join(' and ')} of another package manager is not used.`];
}
