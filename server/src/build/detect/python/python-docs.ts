import type { ProjectFiles } from '../project-files.ts';
import { readPythonPackages } from './python-packages.ts';

export interface DocsTool {
  installCommand: string;
  /** What its program is called with, where it is installed apart from the system's: `uv run --no-sync `. */
  prefix: string;
}

const BY_LOCK: readonly [string, DocsTool][] = [
  ['uv.lock', { installCommand: 'uv sync --frozen --all-groups --all-extras', prefix: 'uv run --no-sync ' }],
  ['poetry.lock', { installCommand: 'poetry install --no-interaction --no-root --all-extras', prefix: 'poetry run ' }],
  ['pdm.lock', { installCommand: 'pdm install --no-editable -G :all', prefix: 'pdm run ' }],
  ['Pipfile', { installCommand: 'pipenv install --dev', prefix: 'pipenv run ' }],
];
const RELATED = /^(mkdocs|sphinx|pelican|jupyter-book|myst|pymdown|furo|markdown)/;

/** Where the packages of a documentation are listed, when not with those of the program. */
const DOCS_REQUIREMENTS = ['docs', 'doc', 'requirements']
  .flatMap((folder) => [`${folder}/requirements.txt`, `${folder}/docs.txt`])
  .concat('requirements-docs.txt', 'docs-requirements.txt', 'requirements_docs.txt');

/** How the generator of a site of Python comes to be there: it is often in a group that a server leaves out. */
export async function installDocsTool(files: ProjectFiles, tool: string, wanted: string): Promise<DocsTool> {
  const listed = await findRequirements(files, tool);
  if (listed) return byPip(`-r ${listed}`);
  const locked = BY_LOCK.find(([file]) => files.fileNames.has(file));
  if (locked) return locked[1];
  const related = [...(await readPythonPackages(files))].filter((name) => RELATED.test(name));
  const names = related.some((name) => name.startsWith(tool)) ? related.join(' ') : wanted;
  return byPip(files.fileNames.has('requirements.txt') ? `-r requirements.txt ${names}` : names);
}

/** The list that names the tool, or something made for it: `mkdocs-material` brings `mkdocs` along. */
export async function findRequirements(files: ProjectFiles, tool: string): Promise<string | null> {
  const isNamed = new RegExp(`^[ \\t]*${tool}`, 'im');
  for (const path of ['requirements.txt', ...DOCS_REQUIREMENTS]) {
    if (isNamed.test((await files.read(path)) ?? '')) return path;
  }
  return null;
}

function byPip(what: string): DocsTool {
  return { installCommand: `pip install ${what}`, prefix: '' };
}
