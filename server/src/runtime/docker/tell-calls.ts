import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type Docker from 'dockerode';
import { callProfile } from './call-profile.ts';
import { isPodman } from './engine.ts';

/** Docker takes the filter of system calls as text, Podman by the path of a file. */
export async function tellCalls(engine: Docker, folder: string): Promise<string | null> {
  const profile = callProfile();
  if (profile === null || !(await isPodman(engine))) return profile;
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'calls.json');
  writeFileSync(path, profile);
  return path;
}
