import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { pathsOf, type Config } from '../config.ts';
import type { RuntimeIsolation } from './runtime.ts';

/**
 * How well applications are kept apart here: the worker finds it out, and whoever tells people (the start
 * banner, the console) reads it here. A sentence for everything that is lacking.
 */
export function writeIsolation(config: Pick<Config, 'home'>, { name, lacking }: RuntimeIsolation): void {
  const path = pathsOf(config).isolation;
  writeFileSync(`${path}.new`, JSON.stringify({ name, lacking }));
  renameSync(`${path}.new`, path);
}

/** Nothing, where no worker has looked yet. */
export function readLacking(config: Pick<Config, 'home'>): string[] {
  return readIsolation(config)?.lacking ?? [];
}

/** What servers run in; null where no worker has looked yet. */
export function readRuntimeName(config: Pick<Config, 'home'>): string | null {
  return readIsolation(config)?.name ?? null;
}

function readIsolation(config: Pick<Config, 'home'>): { name?: string; lacking: string[] } | null {
  try {
    return JSON.parse(readFileSync(pathsOf(config).isolation, 'utf8')) as { name?: string; lacking: string[] };
  } catch {
    return null;
  }
}
