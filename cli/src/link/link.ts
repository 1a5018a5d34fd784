import { existsSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { OWN_ORGANISATION } from '@lilac/contract/scopes';
import { replaceFile } from '../files/replace-file.ts';
import { UsageError } from '../frame/usage-error.ts';
import { readAddress } from '../session/read-address.ts';
import { plainText } from '../terminal/printable.ts';

/** What a project's folder is deployed to. No secret is in it: it may be committed. */
export interface Link {
  apiUrl: string;
  /** Undefined where an API key linked it, which does not know. */
  organisationId: string | undefined;
  applicationId: string;
  environmentId: string;
}

export interface FoundLink {
  link: Link;
  file: string;
}

export const LINK_FILE = 'lilac.json';
const required = ['apiUrl', 'applicationId', 'environmentId'] as const;
const fields = [...required, 'organisationId'] as const;

/**
 * Looks in the folder and in those above it, as far as the repository goes, and never in the home of the person nor
 * at what others left above: whoever writes the file chooses where everything below is sent.
 */
export function findLink(folder: string, home = homedir()): FoundLink | null {
  for (let current = folder; ; current = dirname(current)) {
    if (current === home && current !== folder) return null;
    const file = join(current, LINK_FILE);
    const found = isTrusted(file, folder) ? readObject(file) : null;
    if (found && fields.some((field) => field in found)) return { link: toLink(found, file), file };
    if (current === dirname(current) || existsSync(join(current, '.git'))) return null;
  }
}

/** The person's own, the machine's, or of whoever owns the folder they went to (a checkout in a container). */
function isTrusted(file: string, folder: string): boolean {
  const owner = lstatSync(file, { throwIfNoEntry: false })?.uid;
  if (owner === undefined || process.getuid === undefined) return true;
  return [process.getuid(), 0, lstatSync(folder, { throwIfNoEntry: false })?.uid].includes(owner);
}

/** Keeps what else is in the file. */
export function writeLink(folder: string, link: Link): void {
  const file = join(folder, LINK_FILE);
  assertOwnFile(file);
  replaceFile(file, `${JSON.stringify({ ...readObject(file), ...link }, null, 2)}\n`);
}

/** Keeps what else is in the file; an empty one goes. */
export function removeLink(file: string): void {
  assertOwnFile(file);
  const rest = Object.entries(readObject(file) ?? {}).filter(([key]) => !(fields as readonly string[]).includes(key));
  if (rest.length === 0) rmSync(file, { force: true });
  else replaceFile(file, `${JSON.stringify(Object.fromEntries(rest), null, 2)}\n`);
}

function assertOwnFile(file: string): void {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new UsageError(
    `${plainText(file)} is a symbolic link, which is not written through. Remove it, then try again.`,
  );
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
  throw new UsageError(`${plainText(file)} is no JSON object: mend it, or remove it and run "lilac link".`);
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(code)) return null;
    throw new UsageError(`${plainText(file)} cannot be read (${code}).`);
  }
}

function toLink(value: Record<string, unknown>, file: string): Link {
  const missing = required.filter((field) => typeof value[field] !== 'string' || value[field] === '');
  if (missing.length > 0) {
    throw new UsageError(
      `${plainText(file)} lacks ${missing.join(', ')}: run "lilac link" in its folder, or remove it.`,
    );
  }
  const { apiUrl, applicationId, environmentId } = value as unknown as Link;
  const organisationId = readOrganisation(value.organisationId, file);
  return { apiUrl: readAddress(apiUrl, `apiUrl in ${plainText(file)}`), organisationId, applicationId, environmentId };
}

/** Those who linked with an API key before have `-` there. */
function readOrganisation(value: unknown, file: string): string | undefined {
  if (value === undefined || value === OWN_ORGANISATION) return undefined;
  if (typeof value === 'string' && value !== '') return value;
  throw new UsageError(`organisationId in ${plainText(file)} is no id: run "lilac link" in its folder.`);
}
