import type { ProjectFiles } from '../project-files.ts';
import { readPythonPackages } from './python-packages.ts';

export interface PythonFramework {
  slug: string;
  packages: readonly string[];
  /** What hands requests to it; `own`: it brings its server along. */
  server: 'asgi' | 'wsgi' | 'own';
}

/** The first that is among the packages. */
export const pythonFrameworks: readonly PythonFramework[] = [
  { slug: 'django', packages: ['django'], server: 'wsgi' },
  { slug: 'fasthtml', packages: ['python-fasthtml'], server: 'asgi' },
  { slug: 'chainlit', packages: ['chainlit'], server: 'own' },
  { slug: 'fastapi', packages: ['fastapi', 'fastapi-slim'], server: 'asgi' },
  { slug: 'dash', packages: ['dash'], server: 'wsgi' },
  { slug: 'flask', packages: ['flask', 'quart'], server: 'wsgi' },
  { slug: 'litestar', packages: ['litestar'], server: 'asgi' },
  { slug: 'sanic', packages: ['sanic'], server: 'own' },
  { slug: 'streamlit', packages: ['streamlit'], server: 'own' },
  { slug: 'gradio', packages: ['gradio'], server: 'own' },
  { slug: 'nicegui', packages: ['nicegui'], server: 'own' },
  { slug: 'aiohttp', packages: ['aiohttp'], server: 'own' },
  { slug: 'tornado', packages: ['tornado'], server: 'own' },
  { slug: 'bottle', packages: ['bottle'], server: 'wsgi' },
  { slug: 'falcon', packages: ['falcon'], server: 'wsgi' },
  { slug: 'pyramid', packages: ['pyramid'], server: 'wsgi' },
  { slug: 'starlette', packages: ['starlette'], server: 'asgi' },
];

/** Files that a program is usually started from. */
export const PYTHON_ENTRIES = ['main', 'app', 'server', 'start', 'run', 'bot', 'hello', 'wsgi', 'asgi', 'api'].map(
  (name) => `${name}.py`,
);

export function findPythonFramework(
  { fileNames }: ProjectFiles,
  packages: ReadonlySet<string>,
): PythonFramework | null {
  if (fileNames.has('manage.py')) return bySlug('django');
  // Its own name for the file says more than what it is served with beside it.
  if (fileNames.has('streamlit_app.py') && packages.has('streamlit')) return bySlug('streamlit');
  return pythonFrameworks.find((framework) => framework.packages.some((name) => packages.has(name))) ?? null;
}

export function bySlug(slug: string | null): PythonFramework | null {
  return pythonFrameworks.find((framework) => framework.slug === slug) ?? null;
}

/** Whether something of the project serves: a file that starts it, and not only a manifest. */
export async function isPythonServer(files: ProjectFiles): Promise<boolean> {
  const { fileNames } = files;
  if (['manage.py', 'Procfile', ...PYTHON_ENTRIES].some((name) => fileNames.has(name))) return true;
  return findPythonFramework(files, await readPythonPackages(files)) !== null;
}
