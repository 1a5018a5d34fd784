import type { ProjectFiles } from './project-files.ts';

/** The command of the `web` process: it wins over everything that rules would find. */
export async function readWebProcess(files: ProjectFiles): Promise<string | null> {
  const text = await files.read('Procfile');
  return text?.match(/^web\s*:[ \t]*(\S.*)$/m)?.[1]?.trim() ?? null;
}
