import { posix } from 'node:path';
import type { ProjectFiles } from '../project-files.ts';
import { readWebProcess } from '../procfile.ts';
import { shellWord } from '../shell-word.ts';
import { findPythonApp, findPythonEntry, findPythonFileWith, type PythonApp } from './find-python-app.ts';
import type { PythonFramework } from './python-frameworks.ts';

interface Facts {
  framework: PythonFramework | null;
  packages: ReadonlySet<string>;
}

/** Shell text that starts the program; null where nothing tells. */
export async function pythonStart(files: ProjectFiles, facts: Facts): Promise<string | null> {
  const process = await readWebProcess(files);
  if (process) return process;
  if (facts.framework?.slug === 'django') return djangoStart(files);
  const page = await startOfPage(files, facts.framework?.slug ?? null);
  if (page) return page;
  const entry = await findPythonEntry(files);
  const server = serverOf(facts);
  const app = server && (await findPythonApp(files));
  if (app && server === 'uvicorn') return uvicorn(app);
  if (app && server === 'gunicorn') return gunicorn(app);
  // The file may not start by itself, or listen for itself only: its framework's own program does neither.
  if (app && server === 'flask') return flask(app);
  return entry && `python ${entry}`;
}

/** Frameworks that a file of pages is handed to; they listen on this machine alone unless told. */
async function startOfPage(files: ProjectFiles, slug: string | null): Promise<string | null> {
  if (slug !== 'streamlit' && slug !== 'gradio' && slug !== 'chainlit') return null;
  const uses = new RegExp(`^[ \\t]*(import|from)[ \\t]+${slug}\\b`, 'm');
  const path = (await findPythonFileWith(files, uses)) ?? (await findPythonEntry(files));
  if (!path) return null;
  const file = shellWord(path);
  if (slug === 'streamlit') return `streamlit run ${file} --server.port $PORT --server.address 0.0.0.0`;
  if (slug === 'chainlit') return `chainlit run ${file} --host 0.0.0.0 --port $PORT`;
  return `GRADIO_SERVER_NAME=0.0.0.0 GRADIO_SERVER_PORT=$PORT python ${file}`;
}

function serverOf({ framework, packages }: Facts): 'uvicorn' | 'gunicorn' | 'flask' | null {
  const hasAsgi = ['uvicorn', 'fastapi', 'fastapi-cli', 'python-fasthtml'].some((name) => packages.has(name));
  if (hasAsgi && (framework === null || framework.server === 'asgi')) return 'uvicorn';
  if (packages.has('gunicorn') && (framework === null || framework.server === 'wsgi')) return 'gunicorn';
  return framework?.slug === 'flask' ? 'flask' : null;
}

function uvicorn({ module, name, isFactory, from }: PythonApp): string {
  const options = `${isFactory ? ' --factory' : ''}${from ? ` --app-dir ${from}` : ''}`;
  return `uvicorn ${module}:${name} --host 0.0.0.0 --port $PORT${options}`;
}

function gunicorn({ module, name, isFactory, from }: PythonApp): string {
  const target = isFactory ? `'${module}:${name}()'` : `${module}:${name}`;
  return `gunicorn --bind 0.0.0.0:$PORT ${from ? `--chdir ${from} ` : ''}${target}`;
}

function flask({ module, name, from }: PythonApp): string {
  return `flask --app ${from ? `${from}/` : ''}${module}:${name} run --host 0.0.0.0 --port $PORT`;
}

async function djangoStart(files: ProjectFiles): Promise<string> {
  const folder = files.fileNames.has('manage.py') ? '' : await folderOfManage(files);
  const enter = folder ? `cd ${shellWord(folder)} && ` : '';
  for (const { name } of (await files.list(folder)).filter((entry) => entry.kind === 'folder')) {
    if (await files.has(posix.join(folder, name, 'wsgi.py'))) {
      return `${enter}python manage.py migrate && gunicorn --bind 0.0.0.0:$PORT ${name}.wsgi:application`;
    }
  }
  return `${enter}python manage.py migrate && python manage.py runserver 0.0.0.0:$PORT`;
}

/** Often one folder down, beside the requirements; the root where it is nowhere. */
async function folderOfManage(files: ProjectFiles): Promise<string> {
  const path = await files.findFirst([...files.folderNames].map((name) => `${name}/manage.py`));
  return path ? posix.dirname(path) : '';
}
