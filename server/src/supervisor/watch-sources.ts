import { watch } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');
const watched = ['server/src', 'contract/src'];
/** An editor writes a file in several steps. */
const QUIET_MS = 200;

/** Calls back after a change of the server's source, for `npm run dev`. */
export function watchSources(onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watchers = watched.map((folder) =>
    watch(join(root, folder), { recursive: true }, (_event, file) => {
      if (!file || !/\.(ts|sql)$/.test(file) || file.endsWith('.test.ts')) return;
      clearTimeout(timer);
      timer = setTimeout(onChange, QUIET_MS);
    }),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
