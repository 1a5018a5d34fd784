import { randomInt } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { vi } from 'vitest';
import type { DatabaseOwner, Engine } from './engine.ts';
import { isPortFree } from './port-free.ts';
import type { AccessRules, ServerSize, ServerSpec } from './server.ts';

/** An engine that is tested, and how its servers are reached the way a customer does. */
export interface EngineSubject extends AsyncDisposable {
  engine: Engine;
  version: string;
  /** LILAC_HOME. */
  home: string;
  /** Another one over the same files, opened, as after a restart of the platform. */
  another(): Promise<Engine>;
  /** By a stock client library, over TCP. */
  connect(wants: ClientWants): Promise<TestClient>;
  /** The pid of the server's main process. */
  mainPid(serverId: string): Promise<number>;
  /** Makes of whole files what a kill in the middle of their creation leaves. */
  spoil(serverId: string): Promise<void>;
  /** Statements that would reach beyond the database: into the server's files, its settings, other accounts. */
  forbidden: readonly string[];
  /** How the owner of a full database gets rid of the table `big`, statement by statement. */
  freeing: readonly string[];
}

export interface ClientWants extends Omit<DatabaseOwner, 'databaseName'> {
  databaseName: string;
  port: number;
  /** Left out: 127.0.0.1. */
  host?: string;
  /** The address that it comes from. */
  from?: string;
  encrypted?: boolean;
}

export interface TestClient extends AsyncDisposable {
  query(text: string): Promise<Record<string, unknown>[]>;
  isEncrypted(): Promise<boolean>;
  /** Resolves when the session has ended, whoever ended it. */
  ended: Promise<void>;
}

export const OWNER: DatabaseOwner = { databaseName: 'shop', user: 'alice', password: 'first-password-1' };

const SMALL: ServerSize = { memoryMb: 614, cpus: 1, storageGb: 1 };

/** Instances share the network of the machine, and nobody else may come. */
export const LOCAL: AccessRules = { networks: [], instanceNetworks: ['127.0.0.0/8'], ownAddresses: [] };

export async function specFor(
  subject: Pick<EngineSubject, 'version'>,
  id: string,
  changes: Partial<ServerSpec> = {},
): Promise<ServerSpec> {
  return {
    id,
    databaseId: `db_of_${id}`,
    organisationId: 'org_1',
    version: subject.version,
    port: await freePort(),
    role: 'primary',
    size: SMALL,
    access: LOCAL,
    ...changes,
  };
}

/** From nothing to a database that takes its owner in. */
export async function makeDatabase({ engine }: Pick<EngineSubject, 'engine'>, spec: ServerSpec): Promise<void> {
  await engine.create(spec);
  await engine.start(spec);
  await engine.createDatabase(spec, OWNER);
}

/**
 * Below those that the kernel gives to whoever connects somewhere: a server that is down for a moment must find its port
 * free, and a client that keeps knocking there could otherwise be given that port, and be connected to itself.
 */
export async function freePort(): Promise<number> {
  const [first, last] = [16_000, 32_000];
  for (;;) {
    const port = randomInt(first, last);
    if (await isPortFree(port)) return port;
  }
}

/** An address of this machine that is not loopback; null where it has none. */
export function outerAddress(): string | null {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? null;
}

export async function refuses(attempt: Promise<unknown>): Promise<boolean> {
  return attempt.then(
    async (opened) => {
      await (opened as Partial<AsyncDisposable> | undefined)?.[Symbol.asyncDispose]?.();
      return false;
    },
    () => true,
  );
}

/** Waits until the condition holds; fails when it does not in a generous time. */
export async function eventually(what: string, isTrue: () => Promise<boolean> | boolean): Promise<void> {
  await vi.waitUntil(isTrue, { timeout: 50_000, interval: 10 }).catch((cause: unknown) => {
    throw new Error(`Waited in vain until ${what}.`, { cause });
  });
}
