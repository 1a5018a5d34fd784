import type { ProjectFiles } from '../project-files.ts';

const BY_FILE: readonly [string, string][] = [
  ['uv.lock', 'uv sync --frozen --no-dev'],
  ['poetry.lock', 'poetry install --no-interaction --only main --no-root'],
  ['pdm.lock', 'pdm install --prod --no-editable'],
  ['Pipfile.lock', 'pipenv install --deploy'],
  ['Pipfile', 'pipenv install'],
  ['requirements.txt', 'pip install -r requirements.txt'],
];

/** By the lock file first; null where nothing is to be installed. `added` is what the project forgot to name. */
export async function pythonInstall(files: ProjectFiles, added: string | null = null): Promise<string | null> {
  const install = await ownInstall(files);
  if (added === null) return install;
  if (install === null) return `pip install ${added}`;
  return install.startsWith('pip install ') ? `${install} ${added}` : `${install} && pip install ${added}`;
}

async function ownInstall(files: ProjectFiles): Promise<string | null> {
  const found = BY_FILE.find(([file]) => files.fileNames.has(file));
  if (found) return found[1];
  if (files.fileNames.has('setup.py')) return 'pip install .';
  const project = await files.read('pyproject.toml');
  if (!project) return null;
  // uv installs what a project needs, and the project itself only where it is a package.
  return /^\[tool\.poetry\]/m.test(project)
    ? 'poetry install --no-interaction --only main --no-root'
    : 'uv sync --no-dev';
}
