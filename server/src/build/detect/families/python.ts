import type { Family, Finding } from '../finding.ts';
import type { ProjectFiles } from '../project-files.ts';
import { readWebProcess } from '../procfile.ts';
import { pythonInstall } from '../python/python-install.ts';
import { readPythonPackages } from '../python/python-packages.ts';

const MANIFESTS = ['requirements.txt', 'pyproject.toml', 'Pipfile', 'setup.py', 'uv.lock', 'poetry.lock', 'pdm.lock'];
const ENTRIES = ['main.py', 'app.py', 'server.py', 'start.py', 'run.py', 'bot.py', 'hello.py', 'wsgi.py', 'asgi.py'];
const NESTED_ENTRIES = ['app/main.py', 'src/main.py', 'src/app.py', 'api/main.py', 'api/index.py'];

/** The first that is among the packages. */
const FRAMEWORKS: readonly { slug: string; packages: readonly string[]; server: 'asgi' | 'wsgi' | 'own' }[] = [
  { slug: 'django', packages: ['django'], server: 'wsgi' },
  { slug: 'fasthtml', packages: ['python-fasthtml'], server: 'asgi' },
  { slug: 'fastapi', packages: ['fastapi', 'fastapi-slim'], server: 'asgi' },
  { slug: 'flask', packages: ['flask', 'quart'], server: 'wsgi' },
  { slug: 'litestar', packages: ['litestar'], server: 'asgi' },
  { slug: 'sanic', packages: ['sanic'], server: 'own' },
  { slug: 'streamlit', packages: ['streamlit'], server: 'own' },
  { slug: 'gradio', packages: ['gradio'], server: 'own' },
  { slug: 'aiohttp', packages: ['aiohttp'], server: 'own' },
  { slug: 'tornado', packages: ['tornado'], server: 'own' },
  { slug: 'bottle', packages: ['bottle'], server: 'wsgi' },
  { slug: 'starlette', packages: ['starlette'], server: 'asgi' },
];

export const python: Family = {
  name: 'Python',
  frameworks: ['python', ...FRAMEWORKS.map((framework) => framework.slug)],
  async detect({ files, chosenFramework }) {
    if (!isPython(files)) return null;
    const packages = await readPythonPackages(files);
    const isUsed = (names: readonly string[]) => names.some((name) => packages.has(name));
    const found =
      FRAMEWORKS.find(({ slug }) => slug === chosenFramework) ??
      (files.fileNames.has('manage.py') ? FRAMEWORKS[0] : FRAMEWORKS.find((one) => isUsed(one.packages)));
    const entry = await files.findFirst([...ENTRIES, ...NESTED_ENTRIES]);
    const start = await chooseStart(files, { framework: found, packages, entry });
    return describe(found?.slug ?? null, await pythonInstall(files), start);
  },
};

/** Beside a package.json, Python needs more than a manifest of its tools to be what is deployed. */
function isPython({ fileNames }: ProjectFiles): boolean {
  const hasEntry = fileNames.has('manage.py') || ENTRIES.some((name) => fileNames.has(name));
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
    notes: startCommand
      ? []
      : [
          'Nothing says how the project is started: name its file main.py, or create the application with a startCommand.',
        ],
  };
}

interface Facts {
  framework: (typeof FRAMEWORKS)[number] | undefined;
  packages: ReadonlySet<string>;
  entry: string | null;
}

async function chooseStart(files: ProjectFiles, { framework, packages, entry }: Facts): Promise<string | null> {
  const process = await readWebProcess(files);
  if (process) return process;
  if (framework?.slug === 'django') return djangoStart(files);
  if (!entry) return null;
  const module = entry.replace(/\.py$/, '').replaceAll('/', '.');
  if (framework?.slug === 'streamlit') return `streamlit run ${entry} --server.address 0.0.0.0 --server.port $PORT`;
  const app = await nameOfApp(files, entry);
  if (app && framework?.server === 'asgi' && hasAsgiServer(packages)) {
    return `uvicorn ${module}:${app} --host 0.0.0.0 --port $PORT`;
  }
  if (app && framework?.server === 'wsgi' && packages.has('gunicorn')) {
    return `gunicorn --bind 0.0.0.0:$PORT ${module}:${app}`;
  }
  return `python ${entry}`;
}

function hasAsgiServer(packages: ReadonlySet<string>): boolean {
  return ['uvicorn', 'fastapi', 'fastapi-cli', 'python-fasthtml'].some((name) => packages.has(name));
}

/** The variable that holds the application; null where the file has none to hand to a server. */
async function nameOfApp(files: ProjectFiles, entry: string): Promise<string | null> {
  const text = (await files.read(entry)) ?? '';
  const made =
    /^(\w+)(?:\s*,\s*\w+)*\s*(?::[^=\n]+)?=\s*(?:FastAPI|Flask|Starlette|Quart|FastHTML|fast_app|Litestar|Bottle)\(/m;
  return text.match(made)?.[1] ?? text.match(/^(app|application)\s*(?:,\s*\w+\s*)*(?::[^=\n]+)?=[^=]/m)?.[1] ?? null;
}

async function djangoStart(files: ProjectFiles): Promise<string> {
  for (const folder of files.folderNames) {
    if (await files.has(`${folder}/wsgi.py`)) {
      return `python manage.py migrate && gunicorn --bind 0.0.0.0:$PORT ${folder}.wsgi:application`;
    }
  }
  return 'python manage.py migrate && python manage.py runserver 0.0.0.0:$PORT';
}
