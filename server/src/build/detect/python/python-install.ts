import type { ProjectFiles } from '../project-files.ts';

const BY_FILE: readonly [string, string][] = [
  ['uv.lock', 'uv sync --frozen --no-dev'],
  ['poetry.lock', 'poetry install --no-interaction --only main --no-root'],
  ['pdm.lock', 'pdm install --prod --no-editable'],
  ['Pipfile.lock', 'pipenv install --deploy'],
  ['Pipfile', 'pipenv install'],
  ['requirements.txt', 'pip install -r requirements.txt'],
];

/** By the lock file first; null where nothing is to be installed. */
export async function pythonInstall(files: ProjectFiles): Promise<string | null> {
  const found = BY_FILE.find(([file]) => files.fileNames.has(file));
  if (found) return found[1];
  if (files.fileNames.has('setup.py')) return 'pip install .';
  const project = await files.read('pyproject.toml');
  if (!project) return null;
  return /^\[tool\.poetry\]/m.test(project) ? 'poetry install --no-interaction --only main --no-root' : 'pip install .';
}
