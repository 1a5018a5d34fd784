import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../frame/usage-error.ts';
import { readAddress } from '../session/read-address.ts';

/** What a project's folder is deployed to. No secret is in it: it may be committed. */
export interface Link {
  apiUrl: string;
  /** `-` where an API key linked it, which does not know. */
  organisationId: string;
  applicationId: string;
  environmentId: string;
}

export interface FoundLink {
  link: Link;
  file: string;
}

export const LINK_FILE = 'lilac.json';
const fields = ['apiUrl', 'organisationId', 'applicationId', 'environmentId'] as const;

/** Looks in the folder and in those above it. */
export function findLink(folder: string): FoundLink | null {
  for (let current = folder; ; current = dirname(current)) {
    const file = join(current, LINK_FILE);
    const found = readObject(file);
    if (found && fields.some((field) => field in found)) return { link: toLink(found, file), file };
    if (current === dirname(current)) return null;
  }
}

/** Keeps what else is in the file. */
export function writeLink(folder: string, link: Link): void {
  const file = join(folder, LINK_FILE);
  const text = `${JSON.stringify({ ...readObject(file), ...link }, null, 2)}\n`;
  // Whole or not at all.
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

/** Keeps what else is in the file; an empty one goes. */
export function removeLink(file: string): void {
  const rest = Object.entries(readObject(file) ?? {}).filter(([key]) => !(fields as readonly string[]).includes(key));
  if (rest.length === 0) rmSync(file, { force: true });
  else writeFileSync(file, `${JSON.stringify(Object.fromEntries(rest), null, 2)}\n`);
}

function readObject(file: string): Record<string, unknown> | null {
  const text = readIfThere(file);
  if (text === null) return null;
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // The same is to be said.
  }
  throw new UsageError(`${file} is no JSON object: mend it, or remove it and run "lilac link".`);
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(code)) return null;
    throw new UsageError(`${file} cannot be read (${code}).`);
  }
}

function toLink(value: Record<string, unknown>, file: string): Link {
  const missing = fields.filter((field) => typeof value[field] !== 'string' || value[field] === '');
  if (missing.length > 0) {
    throw new UsageError(`${file} lacks ${missing.join(', ')}: run "lilac link" in its folder, or remove it.`);
  }
  const { apiUrl, organisationId, applicationId, environmentId } = value as unknown as Link;
  return { apiUrl: readAddress(apiUrl, `apiUrl in ${file}`), organisationId, applicationId, environmentId };
}
