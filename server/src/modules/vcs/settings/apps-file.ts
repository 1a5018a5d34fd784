import { readFileSync, statSync } from 'node:fs';
import { gitProviders, type GitProvider } from '@lilac/contract/states';
import { Fault } from '../../../lib/fault.ts';
import { readHostSettings, type HostSettings } from './host-settings.ts';

/** The operator's file cannot be used; the message says why and what to do, and never what is in it. */
export class AppsFileError extends Error {}

/** The hosts that LILAC_VCS_APPS_FILE names. It is small, and a change must be seen: so it is read anew every time. */
export function readAppsFile(path: string): Partial<HostSettings> {
  const content = parse(readText(path), path);
  const unknown = Object.keys(content).filter((name) => !(gitProviders as readonly string[]).includes(name));
  if (unknown.length > 0)
    throw trouble(path, `it names ${unknown.join(', ')}, and hosts are ${gitProviders.join(', ')}`);
  const named = gitProviders.filter((provider) => content[provider] !== undefined);
  return Object.fromEntries(named.map((provider) => [provider, readEntry(path, provider, content[provider])]));
}

function readText(path: string): string {
  try {
    const { mode } = statSync(path);
    if ((mode & 0o007) !== 0) throw trouble(path, `everybody on this machine may use it: run "chmod o= ${path}"`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof AppsFileError) throw error;
    throw trouble(path, `it cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`, error);
  }
}

/** What a parser says quotes the text, so it is not passed on. */
function parse(text: string, path: string): Record<string, unknown> {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw trouble(path, 'it is not JSON');
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw trouble(path, `it must be one JSON object: {"provider1": {…}, "provider2": {…}, "provider3": {…}}`);
  }
  return content as Record<string, unknown>;
}

function readEntry(path: string, provider: GitProvider, value: unknown): HostSettings[GitProvider] {
  try {
    return readHostSettings(provider, value);
  } catch (error) {
    if (error instanceof Fault) throw trouble(path, error.message.replace(/\.$/, ''), error);
    throw error;
  }
}

function trouble(path: string, why: string, cause?: unknown): AppsFileError {
  return new AppsFileError(`The file of LILAC_VCS_APPS_FILE (${path}) cannot be used: ${why}.`, { cause });
}
