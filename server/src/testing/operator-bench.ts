import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../config.ts';
import { runOperatorCommand } from '../operator/program.ts';
import { createTestStore, type TestStore } from './test-store.ts';

export interface LilacOptions {
  input?: string;
  home?: string;
  /** Null for the embedded store. */
  databaseUrl?: string | null;
  environment?: Record<string, string>;
}

/** An installation that was never started, on a store of its own: `await using bench = await openOperatorBench()`. */
export interface OperatorBench extends AsyncDisposable {
  /** Holds the home, and whatever a test puts beside it. */
  folder: string;
  home: string;
  store: TestStore;
  lilac(argv: readonly string[], options?: LilacOptions): Promise<{ exitCode: number; out: string; err: string }>;
  createOwner(): Promise<{ userId: string; organisationId: string }>;
}

export const PASSWORD = 'correct horse battery';

export const ownerCreate = (...more: string[]): string[] => [
  'admin',
  'owner',
  'create',
  '--email',
  'ada@example.org',
  '--organisation',
  'Acme',
  ...more,
];

export async function openOperatorBench(): Promise<OperatorBench> {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-operator-'));
  const home = join(folder, 'home');
  const store = await createTestStore();
  const lilac = (argv: readonly string[], options: LilacOptions = {}) =>
    runWatched(argv, { home, databaseUrl: store.url, ...options });
  return {
    folder,
    home,
    store,
    lilac,
    async createOwner() {
      const { out } = await lilac(ownerCreate('--password', PASSWORD, '--plan', 'pro', '--json'));
      return JSON.parse(out) as { userId: string; organisationId: string };
    },
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function runWatched(
  argv: readonly string[],
  options: LilacOptions & { home: string; databaseUrl: string | null },
) {
  let out = '';
  let err = '';
  const environment = { LILAC_HOME: options.home, ...options.environment };
  const exitCode = await runOperatorCommand(argv, {
    terminal: {
      print: (line) => (out += `${line}\n`),
      complain: (line) => (err += `${line}\n`),
      readInput: () => Promise.resolve(options.input ?? ''),
      paint: (_, text) => text,
      width: Infinity,
    },
    loadConfig: () => ({ ...readConfig(environment), databaseUrl: options.databaseUrl }),
    environmentOf: () => environment,
  });
  return { exitCode, out, err };
}
