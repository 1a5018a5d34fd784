import { SHIM } from '../../run/shim.ts';
import type { ProjectFiles } from '../project-files.ts';

const EXPORTS = /^\s*export\s+default\b|\bmodule\.exports\s*=|^\s*export\s*\{[^}]*\bas\s+default\b/m;
const LISTENS = /\.listen\s*\(|\bserve\s*\(|\bcreateServer\s*\(|\.start\s*\(/;

/**
 * What starts an application that only exports itself, as platforms want it that call it: run by Node it would
 * end at once. Null where the file listens by itself, or exports nothing.
 */
export async function startOfExportedApp(files: ProjectFiles, entry: string): Promise<string | null> {
  const code = ((await files.read(entry)) ?? '').replaceAll(/\/\*[\s\S]*?\*\/|(^|\s)\/\/[^\n]*/g, '');
  return EXPORTS.test(code) && !LISTENS.test(code) ? `node ${SHIM} ${entry.replace(/^\.\//, '')}` : null;
}
