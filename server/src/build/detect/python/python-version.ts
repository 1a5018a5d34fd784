import { parseToml, toTable, toText } from '../parse/read-data.ts';
import type { ProjectFiles } from '../project-files.ts';

/**
 * The Python that a project asks for: a pinned version first, else the range of its manifest; null where it says
 * nothing.
 */
export async function readPythonVersion(files: ProjectFiles): Promise<string | null> {
  const pinned =
    firstLine(await files.read('.python-version')) ??
    firstLine(await files.read('runtime.txt'))?.replace(/^python-/, '') ??
    (await files.read('.tool-versions'))?.match(/^python\s+(\S+)/m)?.[1];
  if (pinned && /^\d/.test(pinned)) return pinned;
  return (await fromPyproject(files)) ?? fromPipfile(files);
}

async function fromPyproject(files: ProjectFiles): Promise<string | null> {
  const text = await files.read('pyproject.toml');
  if (!text) return null;
  const { project, tool } = parseToml('pyproject.toml', text);
  const ofPoetry = toTable(toTable(toTable(tool)['poetry'])['dependencies'])['python'];
  return toText(toTable(project)['requires-python']) ?? toText(ofPoetry);
}

async function fromPipfile(files: ProjectFiles): Promise<string | null> {
  const text = await files.read('Pipfile');
  const requires = text ? toTable(parseToml('Pipfile', text)['requires']) : {};
  return toText(requires['python_full_version']) ?? toText(requires['python_version']);
}

function firstLine(text: string | null): string | undefined {
  return text
    ?.split('\n')
    .find((line) => line.trim() !== '' && !line.startsWith('#'))
    ?.trim();
}
