import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathsOf, type Config } from '../config.ts';
import { isRuntimeKind, type RuntimeKind } from '../config/runtime-settings.ts';
import type { ProcessIdentity } from '../lib/process-identity.ts';
import { writeWhole } from '../lib/write-whole.ts';
import type { RuntimeIsolation } from './runtime.ts';

/** What the last worker took to run instances in. */
export interface KeptRuntime {
  kind: RuntimeKind;
  /** Whose worker it was; null where nobody noted it. */
  supervisor: ProcessIdentity | null;
}

interface IsolationFile {
  name?: string;
  supervisor?: ProcessIdentity | null;
  lacking: string[];
}

type Home = Pick<Config, 'home'>;

/**
 * How well applications are kept apart here: the worker finds it out, and whoever tells people (the start
 * banner, the console) reads it here. A sentence for everything that is lacking.
 */
export function writeIsolation(config: Home, { name, lacking }: RuntimeIsolation): void {
  write(config, { ...readIsolation(config), name, lacking: [...lacking] });
}

/** By the worker, before it has looked what is lacking: until then that stays as it was. */
export function keepRuntime(config: Home, { kind, supervisor }: KeptRuntime): void {
  write(config, { name: kind, supervisor, lacking: readLacking(config) });
}

/** Nothing, where no worker has looked yet. */
export function readLacking(config: Home): string[] {
  return readIsolation(config)?.lacking ?? [];
}

/** What servers run in; null where no worker has taken anything yet. */
export function readRuntimeName(config: Home): RuntimeKind | null {
  return readKeptRuntime(config)?.kind ?? null;
}

export function readKeptRuntime(config: Home): KeptRuntime | null {
  const { name, supervisor = null } = readIsolation(config) ?? {};
  return isRuntimeKind(name) ? { kind: name, supervisor } : null;
}

function write(config: Home, file: IsolationFile): void {
  const path = pathsOf(config).isolation;
  mkdirSync(dirname(path), { recursive: true });
  writeWhole(path, JSON.stringify(file));
}

function readIsolation(config: Home): IsolationFile | null {
  try {
    return JSON.parse(readFileSync(pathsOf(config).isolation, 'utf8')) as IsolationFile;
  } catch {
    return null;
  }
}
