import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Expected } from '../invariants/expected.ts';

/** The home of a platform that does not run. */
export interface TestHome extends Disposable {
  path: string;
  /** Folders where they end in a slash, files otherwise. */
  put(...paths: string[]): void;
  /** Nothing may be there but what is named. */
  expecting(expected?: Partial<Expected>): Expected;
}

export function openHome(): TestHome {
  const path = mkdtempSync(join(tmpdir(), 'lilac-chaos-home-'));
  const none = new Set<never>();
  return {
    path,
    put(...paths) {
      for (const each of paths) {
        mkdirSync(join(path, each.endsWith('/') ? each : dirname(each)), { recursive: true });
        if (!each.endsWith('/')) writeFileSync(join(path, each), 'something');
      }
    },
    expecting: (expected) => ({
      home: path,
      instances: none,
      servers: none,
      ports: none,
      users: none,
      pids: none,
      ...expected,
    }),
    [Symbol.dispose]: () => rmSync(path, { recursive: true }),
  };
}
