import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig, type Config, type Environment } from '../../../config.ts';
import { silentLog } from '../../../lib/log.ts';
import type { Resolve } from '../admit-host.ts';
import { createGitSources } from '../git-sources.ts';
import { parseRepository } from '../parse-repository.ts';
import type { Commit, GitSources, Repository } from '../repository.ts';

export interface GitSubject extends Disposable {
  config: Config;
  sources: GitSources;
  /** Where the mirrors are. */
  root: string;
  folder: string;
  /** `owner/name` on the configured host. */
  repository(name: string): Repository;
  checkOut(name: string | Repository, branch?: string): Promise<CheckedOut>;
}

export interface CheckedOut {
  commit: Commit;
  folder: string;
  lines: string[];
  /** By path: contents, `-> target` for links. */
  files: Record<string, string>;
}

/** Git sources with the given host configured as the first, and mirrors of their own. */
export function createGitSubject(
  host: { url: string },
  {
    environment = {},
    resolve,
    memoryBytes,
  }: { environment?: Environment; resolve?: Resolve; memoryBytes?: number } = {},
): GitSubject {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-git-'));
  const config = readConfig({ LILAC_HOME: folder, LILAC_VCS_URL: host.url, ...environment });
  const root = join(folder, 'mirrors');
  const sources = createGitSources({ config, root, log: silentLog, memoryBytes, ...(resolve && { resolve }) });
  const repository = (name: string) => parseRepository(config, { url: `${host.url}/${name}` });
  return {
    config,
    sources,
    root,
    folder,
    repository,
    async checkOut(name, branch = 'main') {
      const target = mkdtempSync(join(folder, 'out-'));
      const lines: string[] = [];
      const asked = typeof name === 'string' ? repository(name) : name;
      const signal = AbortSignal.timeout(50_000);
      const options = { branch, folder: target, signal, onLine: (line: string) => void lines.push(line) };
      const commit = await sources.checkOut(asked, options);
      return { commit, folder: target, lines, files: readFolder(target) };
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function readFolder(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const files: Record<string, string> = {};
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const facts = lstatSync(path);
    if (facts.isSymbolicLink()) files[name] = `-> ${readlinkSync(path)}`;
    else if (facts.isFile()) files[name] = readFileSync(path, 'utf8');
    else for (const [inner, content] of Object.entries(readFolder(path))) files[`${name}/${inner}`] = content;
  }
  return files;
}
