import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { pathsOf, type Config } from '../config.ts';

/**
 * How well applications are kept apart here: the worker finds it out, and whoever tells people (the start
 * banner, the console) reads it here. A sentence for everything that is lacking.
 */
export function writeLacking(config: Pick<Config, 'home'>, lacking: readonly string[]): void {
  const path = pathsOf(config).isolation;
  writeFileSync(`${path}.new`, JSON.stringify({ lacking }));
  renameSync(`${path}.new`, path);
}

/** Nothing, where no worker has looked yet. */
export function readLacking(config: Pick<Config, 'home'>): string[] {
  try {
    const { lacking } = JSON.parse(readFileSync(pathsOf(config).isolation, 'utf8')) as { lacking: string[] };
    return lacking;
  } catch {
    return [];
  }
}
