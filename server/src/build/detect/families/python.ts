import type { Family, Finding } from '../finding.ts';
import { readWebProcess } from '../procfile.ts';
import type { ProjectFiles } from '../project-files.ts';
import { bySlug, findPythonFramework, PYTHON_ENTRIES, pythonFrameworks } from '../python/python-frameworks.ts';
import { pythonInstall } from '../python/python-install.ts';
import { readPythonPackages } from '../python/python-packages.ts';
import { readPythonVersion } from '../python/python-version.ts';
import { pythonStart } from '../python/python-start.ts';

const MANIFESTS = ['requirements.txt', 'pyproject.toml', 'Pipfile', 'setup.py', 'uv.lock', 'poetry.lock', 'pdm.lock'];

export const python: Family = {
  name: 'Python',
  frameworks: ['python', ...pythonFrameworks.map((framework) => framework.slug)],
  async detect({ files, chosenFramework }) {
    if (!isPython(files)) return null;
    const packages = await readPythonPackages(files);
    const framework = bySlug(chosenFramework) ?? findPythonFramework(files, packages);
    const startCommand = await pythonStart(files, { framework, packages });
    const isOwn = startCommand !== null && startCommand === (await readWebProcess(files));
    const missing = isOwn ? null : missingServer(startCommand ?? '', packages);
    const found = describe(framework?.slug ?? null, await pythonInstall(files, missing), startCommand);
    return { ...found, languageVersion: await readPythonVersion(files) };
  },
};

/** Frameworks rarely bring along what serves them in production. */
function missingServer(startCommand: string, packages: ReadonlySet<string>): string | null {
  const server = startCommand.match(/\b(gunicorn|uvicorn) /)?.[1];
  return server && !packages.has(server) ? server : null;
}

/** Beside a package.json, Python needs more than a manifest of its tools to be what is deployed. */
function isPython({ fileNames }: ProjectFiles): boolean {
  const hasEntry = fileNames.has('manage.py') || PYTHON_ENTRIES.some((name) => fileNames.has(name));
  if (fileNames.has('package.json')) return hasEntry || fileNames.has('requirements.txt');
  return hasEntry || MANIFESTS.some((name) => fileNames.has(name));
}

function describe(framework: string | null, installCommand: string | null, startCommand: string | null): Finding {
  return {
    framework,
    language: 'python',
    deploymentType: 'container',
    runtime: 'python3',
    installCommand,
    startCommand,
    noStart:
      'Nothing says how the project is started: name its file main.py, or create the application anew with a start command.',
  };
}
