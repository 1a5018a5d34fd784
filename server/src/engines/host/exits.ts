import type { ChildProcess } from '../../lib/exec.ts';
import { isAlive, type ProcessIdentity } from '../../lib/process-identity.ts';

export interface Exits {
  /** One that this process has started: its end is heard of. */
  watchChild(serverId: string, child: ChildProcess): void;
  /** One that somebody else has started: looked at again and again. */
  watchAdopted(serverId: string, main: ProcessIdentity): void;
  /** It is being ended: that is no news. */
  expect(serverId: string): void;
  onExit(listener: (serverId: string) => void): () => void;
  open(): void;
  close(): void;
}

interface Watched {
  /** Null: its end is heard of. */
  adopted: ProcessIdentity | null;
}

const POLL_MS = 100;

export function createExits(): Exits {
  const watched = new Map<string, Watched>();
  const listeners = new Set<(serverId: string) => void>();
  let timer: NodeJS.Timeout | undefined;

  function tell(serverId: string, ended: Watched): void {
    if (watched.get(serverId) !== ended) return;
    watched.delete(serverId);
    for (const listener of listeners) listener(serverId);
  }

  function look(): void {
    for (const [serverId, each] of watched) if (each.adopted && !isAlive(each.adopted)) tell(serverId, each);
  }

  return {
    watchChild(serverId, child) {
      const held = { adopted: null };
      watched.set(serverId, held);
      if (child.exitCode !== null || child.signalCode !== null) setImmediate(() => tell(serverId, held));
      else child.once('exit', () => tell(serverId, held));
    },
    watchAdopted(serverId, main) {
      watched.set(serverId, { adopted: main });
    },
    expect: (serverId) => void watched.delete(serverId),
    onExit(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    open() {
      timer ??= setInterval(look, POLL_MS).unref();
    },
    close() {
      clearInterval(timer);
      timer = undefined;
      watched.clear();
      listeners.clear();
    },
  };
}
