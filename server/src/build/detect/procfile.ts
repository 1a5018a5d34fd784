import { matchLine } from './parse/lines.ts';
import type { ProjectFiles } from './project-files.ts';

/** The command of the `web` process: it wins over everything that rules would find. */
export async function readWebProcess(files: ProjectFiles): Promise<string | null> {
  const text = await files.read('Procfile');
  return matchLine(text ?? '', /^web[ \t]*:[ \t]*(\S.*)$/)?.[1]?.trim() ?? null;
}
