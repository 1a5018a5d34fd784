import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessIdentity } from '../../../lib/process-identity.ts';
import { writeWhole } from '../../../lib/write-whole.ts';
import type { Lead } from '../stable-address.ts';

/** What a proxy is told. It reads it at its start, and again at SIGHUP. */
export interface ProxyOrder extends Lead {
  /** Another one with every order. */
  number: string;
}

/** What a proxy says of itself: it goes by the order of this number. */
export interface ProxyState {
  process: ProcessIdentity;
  number: string;
}

export const writeOrder = (folder: string, port: number, order: ProxyOrder): void =>
  write(orderPath(folder, port), order);
export const readOrder = (folder: string, port: number): ProxyOrder | null =>
  read(orderPath(folder, port)) as ProxyOrder | null;
export const writeState = (folder: string, port: number, state: ProxyState): void =>
  write(statePath(folder, port), state);
export const readState = (folder: string, port: number): ProxyState | null =>
  read(statePath(folder, port)) as ProxyState | null;

/** The ports that there are orders for. */
export function listOrders(folder: string): number[] {
  return readdirSync(folder).flatMap((name) => /^(\d+)\.order\.json$/.exec(name)?.slice(1).map(Number) ?? []);
}

export function removeProxyFiles(folder: string, port: number): void {
  for (const path of [statePath(folder, port), orderPath(folder, port)]) rmSync(path, { force: true });
}

const orderPath = (folder: string, port: number): string => join(folder, `${port}.order.json`);
const statePath = (folder: string, port: number): string => join(folder, `${port}.state.json`);

function write(path: string, content: object): void {
  writeWhole(path, JSON.stringify(content), { mode: 0o600 });
}

function read(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
