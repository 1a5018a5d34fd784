import { SHIM } from '../../run/shim.ts';
import { withoutComments } from '../parse/without-comments.ts';
import type { ProjectFiles } from '../project-files.ts';

const EXPORTS = /^[ \t]*export\s+default\b|\bmodule\.exports\s*=/m;
const LISTENS = /\.listen\s*\(|\bserve\s*\(|\bcreateServer\s*\(|\.start\s*\(/;

/**
 * What starts an application that only exports itself, as platforms want it that call it: run by Node it would
 * end at once. Null where the file listens by itself, or exports nothing.
 */
export async function startOfExportedApp(files: ProjectFiles, entry: string): Promise<string | null> {
  const code = withoutComments((await files.read(entry)) ?? '', ['/*', ' //']);
  const isExported = EXPORTS.test(code) || isInList(code);
  return isExported && !LISTENS.test(code) ? `node ${SHIM} ${entry.replace(/^\.\//, '')}` : null;
}

/** `export { app as default }`. */
function isInList(code: string): boolean {
  const beginning = /^[ \t]*export\s*\{/gm;
  while (beginning.test(code)) {
    const start = beginning.lastIndex;
    const end = code.indexOf('}', start);
    const list = code.slice(start, end === -1 ? code.length : end);
    if (/\bas\s+default\b/.test(list)) return true;
    beginning.lastIndex = start + list.length;
  }
  return false;
}
