import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plan } from '../plan.ts';

/** What decides over the outcome of an install. */
export interface InstallInputs {
  key: string;
  /** The project's own scripts that an install runs, in order; they may read any file of the project. */
  scripts: { folder: string; script: string }[];
  hasInstalledFolders: boolean;
}

export interface InputOptions {
  source: string;
  plan: Pick<Plan, 'workspaceDirectory' | 'lockFile' | 'installCommand'>;
  /** Of the tools. */
  fingerprint: string;
  variables: Readonly<Record<string, string>>;
}

const LIFECYCLE = [
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
] as const;

/** Of a manifest, what an install looks at: a new version number or a new `build` script changes nothing. */
const MANIFEST_FIELDS = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
  'dependenciesMeta',
  'bundledDependencies',
  'trustedDependencies',
  'overrides',
  'resolutions',
  'pnpm',
  'workspaces',
  'packageManager',
  'engines',
  'config',
  'allowScripts',
];
const SETTING_FILES = new Set([
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  'pnpm-workspace.yaml',
  'bunfig.toml',
]);
/** Variables by which install scripts choose what to fetch. */
const INSTALL_VARIABLES =
  /^(npm_|yarn_|pnpm_|bun_|puppeteer_|playwright_|cypress_|prisma_|sharp_|electron_|node_env$)/i;
const MAX_DEPTH = 8;

export async function readInstallInputs({
  source,
  plan,
  fingerprint,
  variables,
}: InputOptions): Promise<InstallInputs> {
  const found: Found = { parts: [], scripts: [], hasInstalledFolders: false };
  await visit(found, { root: join(source, plan.workspaceDirectory), folder: '', depth: 0 });
  const lock = plan.lockFile ? await readText(join(source, plan.lockFile)) : '';
  const chosen = Object.entries(variables).filter(([name]) => INSTALL_VARIABLES.test(name));
  const parts = [
    fingerprint,
    plan.installCommand,
    plan.workspaceDirectory,
    lock,
    found.parts,
    chosen.map((pair) => pair.join('=')).toSorted(),
  ];
  const key = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
  return { key, scripts: found.scripts, hasInstalledFolders: found.hasInstalledFolders };
}

interface Found extends Omit<InstallInputs, 'key'> {
  parts: unknown[];
}

async function visit(found: Found, at: { root: string; folder: string; depth: number }): Promise<void> {
  const { root, folder, depth } = at;
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.name === 'node_modules') found.hasInstalledFolders = true;
    else if (entry.isDirectory() && entry.name !== '.git' && depth < MAX_DEPTH)
      await visit(found, { root, folder: path, depth: depth + 1 });
    else if (entry.isFile() && entry.name === 'package.json') await addManifest(found, root, folder);
    else if (entry.isFile() && (SETTING_FILES.has(entry.name) || entry.name.endsWith('.patch')))
      found.parts.push([path, await readText(join(root, path))]);
  }
}

async function addManifest(found: Found, root: string, folder: string): Promise<void> {
  const manifest = parse(await readText(join(root, folder, 'package.json')));
  const scripts = (manifest.scripts ?? {}) as Record<string, unknown>;
  const own = LIFECYCLE.filter((script) => typeof scripts[script] === 'string');
  found.scripts.push(...own.map((script) => ({ folder, script })));
  found.parts.push([
    folder,
    MANIFEST_FIELDS.map((field) => manifest[field] ?? null),
    own.map((script) => scripts[script]),
  ]);
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return value && typeof value === 'object' ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
