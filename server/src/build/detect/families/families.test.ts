import { describe, expect, it } from 'vitest';
import { PlanRefused } from '../../plan.ts';
import { planFor } from '../testing/plan-for.ts';

const pythonOf = async (files: Record<string, string>) => (await planFor({ 'main.py': '', ...files })).languageVersion;

describe('Python', () => {
  it('finds its framework in any of its manifests, not in their comments', async () => {
    expect(await frameworkOf('requirements.txt', '# django\nFlask[async]>=3 ; python_version > "3.8"\n')).toBe('flask');
    expect(await frameworkOf('pyproject.toml', '[project]\ndependencies = [\n "fastapi", # "django"\n]')).toBe(
      'fastapi',
    );
    expect(await frameworkOf('pyproject.toml', '[tool.poetry.dependencies]\nDjango = "^5"')).toBe('django');
    expect(await frameworkOf('Pipfile', '[packages]\nflask = "*"')).toBe('flask');
    expect(await frameworkOf('setup.py', 'setup(install_requires=["flask>=3"])')).toBe('flask');
    expect(await frameworkOf('requirements.txt', 'flask-login\ndjangorestframework\n')).toBeNull();
  });

  it('is installed by the tool whose lock file is there', async () => {
    const files = { 'main.py': '', 'requirements.txt': '', 'pyproject.toml': '' };
    expect((await planFor({ ...files, 'uv.lock': '' })).installCommand).toBe('uv sync --frozen --no-dev');
    expect((await planFor({ ...files, 'poetry.lock': '' })).installCommand).toContain('poetry install');
    expect((await planFor(files)).installCommand).toBe('pip install -r requirements.txt');
  });

  it('gets the server that starts it, where its packages do not name one', async () => {
    const app = { 'main.py': 'app = FastAPI()' };
    const install = async (files: Record<string, string>) => (await planFor({ ...app, ...files })).installCommand;
    expect(await install({ 'requirements.txt': 'fastapi' })).toBe('pip install -r requirements.txt uvicorn');
    expect(await install({ 'requirements.txt': 'fastapi\nuvicorn' })).toBe('pip install -r requirements.txt');
    const project = '[project]\ndependencies = ["fastapi"]';
    expect(await install({ 'pyproject.toml': project, 'uv.lock': '' })).toBe(
      'uv sync --frozen --no-dev && pip install uvicorn',
    );
    expect(await install({ 'requirements.txt': 'fastapi', Procfile: 'web: uvicorn main:app' })).toBe(
      'pip install -r requirements.txt',
    );
  });

  it('is of the version that a file pins, or that its manifest allows', async () => {
    const project = '[project]\nrequires-python = ">=3.11,<4"';
    expect(await pythonOf({})).toBeNull();
    expect(await pythonOf({ 'pyproject.toml': project })).toBe('>=3.11,<4');
    expect(await pythonOf({ 'pyproject.toml': project, '.python-version': '# pinned\n3.12.1\n' })).toBe('3.12.1');
    expect(await pythonOf({ 'runtime.txt': 'python-3.10.4' })).toBe('3.10.4');
    expect(await pythonOf({ 'pyproject.toml': '[tool.poetry.dependencies]\npython = "^3.11"' })).toBe('^3.11');
    expect(await pythonOf({ Pipfile: '[requires]\npython_version = "3.9"' })).toBe('3.9');
  });

  it('serves the variable that holds the application, or runs the file', async () => {
    const files = { 'requirements.txt': 'flask\ngunicorn\n' };
    expect((await planFor({ ...files, 'app.py': 'site = Flask(__name__)' })).startCommand).toContain(' app:site');
    expect((await planFor({ ...files, 'app.py': 'print(1)' })).startCommand).toBe('python app.py');
  });

  it('comes before a package.json for assets, but not before one for the project itself', async () => {
    const vite = { devDependencies: { vite: '7.0.0' }, scripts: { build: 'vite build' } };
    expect((await planFor({ 'manage.py': '', 'package.json': vite })).framework).toBe('django');
    expect((await planFor({ 'pyproject.toml': '', 'package.json': vite })).framework).toBe('vite');
  });
});

describe('other languages', () => {
  it('Go: builds the command that serves, and reads no comment', async () => {
    const files = {
      'go.mod': 'module x\n// github.com/gin-gonic/gin v1\n',
      'cmd/migrate/main.go': '',
      'cmd/api/main.go': '',
    };
    expect(await planFor(files)).toMatchObject({ framework: null, buildCommand: 'go build -o out ./cmd/api' });
  });

  it('Ruby: tells sites from servers', async () => {
    expect(await planFor({ Gemfile: `gem 'jekyll'`, '_config.yml': 'destination: out' })).toMatchObject({
      deploymentType: 'static',
      outputDirectory: 'out',
    });
    expect(await planFor({ Gemfile: `# gem 'jekyll'\ngem "rails", "~> 8.0"` })).toMatchObject({ framework: 'rails' });
  });

  it('Rust: runs the program that is named, also in a workspace', async () => {
    expect(await startOf({ 'Cargo.toml': '[package]\nname = "a"\n[[bin]]\nname = "b"' })).toBe('./target/release/b');
    const workspace = { 'Cargo.toml': '[workspace]\nmembers = ["crates/*"]', 'crates/lib/src/lib.rs': '' };
    const member = { 'crates/web/Cargo.toml': '[package]\nname = "web"', 'crates/web/src/main.rs': '' };
    expect(await startOf({ ...workspace, ...member })).toBe('./target/release/web');
  });

  it('Java: knows its framework and its wrapper, and reads no comment', async () => {
    const pom =
      '<project><!-- io.quarkus --><parent><artifactId>spring-boot-starter-parent</artifactId></parent></project>';
    expect(await planFor({ 'pom.xml': pom, mvnw: '' })).toMatchObject({
      framework: 'spring-boot',
      buildCommand: './mvnw -B -DskipTests package',
    });
  });

  it('.NET: tells what runs in the browser from what runs on a server', async () => {
    const blazor = '<Project Sdk="Microsoft.NET.Sdk.BlazorWebAssembly"></Project>';
    expect(await planFor({ 'App.csproj': blazor })).toMatchObject({ deploymentType: 'static', isSinglePage: true });
    expect(await planFor({ 'App.fsproj': '<Project Sdk="Microsoft.NET.Sdk.Web" />' })).toMatchObject({
      framework: 'aspnet',
      deploymentType: 'container',
    });
  });

  it('Deno: by its settings, or by its sources alone', async () => {
    const settings = '{ // comment\n "imports": { "fresh": "jsr:@fresh/core@2", }, "tasks": { "start": "x" } }';
    expect(await planFor({ 'deno.json': settings })).toMatchObject({
      framework: 'fresh',
      startCommand: 'deno task start',
    });
    expect(await planFor({ 'main.ts': 'Deno.serve(() => new Response())' })).toMatchObject({
      language: 'deno',
      startCommand: 'deno run --allow-all main.ts',
    });
  });

  it('Bun: scripts without a manifest', async () => {
    expect(await planFor({ 'bunfig.toml': '', 'server.ts': '' })).toMatchObject({ startCommand: 'bun server.ts' });
  });

  it('are named where the platform does not build them', async () => {
    const plan = await planFor({ 'Package.swift': '' });
    expect(plan).toMatchObject({ language: 'other', deploymentType: 'container' });
    expect(plan.notes.join()).toContain('This is a project of Swift');
  });
});

describe('a Procfile', () => {
  it('always says how the project is started', async () => {
    const files = {
      Procfile: 'worker: node w.js\nweb: node --inspect x.js\n',
      'package.json': { scripts: { start: 'node .' } },
    };
    expect((await planFor(files)).startCommand).toBe('node --inspect x.js');
    expect((await planFor({ Procfile: 'web:  run me ' })).startCommand).toBe('run me');
  });
});

describe('a start command that a person set', () => {
  it('runs what nothing else is known of: a program as it is, or what only Docker would build', async () => {
    const settings = { startCommand: './server' };
    expect(await planFor({ server: '' }, settings)).toMatchObject({
      language: 'other',
      deploymentType: 'container',
      ...settings,
    });
    await expect(planFor({ server: '' })).rejects.toThrow(PlanRefused);
    await expect(planFor({ server: '' }, { ...settings, deploymentType: 'static' })).rejects.toThrow(PlanRefused);
    expect((await planFor({ Dockerfile: 'FROM scratch' }, settings)).startCommand).toBe('./server');
  });
});

describe('a runtime that a person set', () => {
  it('is the version that is used', async () => {
    const node = { 'package.json': { scripts: { start: 'node x.js' } }, '.nvmrc': '18' };
    expect(await planFor(node, { runtime: 'node22' })).toMatchObject({ runtime: 'node22', nodeVersion: '22' });
    const python = { 'main.py': '', '.python-version': '3.10' };
    expect(await planFor(python, { runtime: 'python3.12' })).toMatchObject({ languageVersion: '3.12' });
    expect(await planFor(python, { runtime: 'python3' })).toMatchObject({ languageVersion: '3.10' });
  });
});

describe('a Dockerfile', () => {
  const docker = { Dockerfile: 'FROM scratch\nEXPOSE 8080/tcp\n' };

  it('is used where nothing else tells how the project is built', async () => {
    expect(await planFor({ ...docker, 'main.c': '' })).toMatchObject({ framework: 'dockerfile', port: 8080 });
    const server = { ...docker, 'package.json': { scripts: { test: 'node x.js' } } };
    expect((await planFor(server)).framework).toBe('dockerfile');
    expect((await planFor(server, { framework: 'node' })).language).toBe('node');
  });

  it('beside a server that starts without it only tells the port', async () => {
    const server = { ...docker, 'package.json': { scripts: { start: 'node x.js' } } };
    expect(await planFor(server)).toMatchObject({ language: 'node', startCommand: 'npm run start', port: 8080 });
    expect(await planFor({ ...docker, 'go.mod': 'module x', 'main.go': '' })).toMatchObject({
      language: 'go',
      port: 8080,
    });
  });

  it('beside a known framework is only mentioned, unless it is chosen', async () => {
    const files = { ...docker, 'package.json': { dependencies: { express: '5.0.0' }, scripts: { start: 'node .' } } };
    const plan = await planFor(files);
    expect(plan.framework).toBe('express');
    expect(plan.notes.join()).toContain('the framework dockerfile');
    expect((await planFor(files, { framework: 'dockerfile' })).language).toBe('docker');
  });

  it('never stands in the way of pages', async () => {
    expect(await planFor({ ...docker, 'package.json': {}, 'index.html': '' })).toMatchObject({
      language: 'node',
      deploymentType: 'static',
    });
  });
});

describe('pages as they are', () => {
  it('are served from the root, from a usual folder, or from where a Staticfile says', async () => {
    expect(await folderOf({ 'index.html': '', 'public/index.html': '' })).toBe('');
    expect(await folderOf({ 'public/index.html': '' })).toBe('public');
    expect(await folderOf({ Staticfile: 'root: pages\n', 'pages/index.html': '' })).toBe('pages');
  });

  it('without an index are served with a word about it', async () => {
    expect((await planFor({ 'about.html': '' })).notes.join()).toContain('There is no index.html');
  });

  it('need neither installation nor build', async () => {
    expect(await planFor({ 'index.html': '' }, { deploymentType: 'static' })).toMatchObject({
      installCommand: null,
      buildCommand: null,
      isSinglePage: false,
      packageManager: null,
    });
  });
});

describe('Hugo and its like', () => {
  it('are told apart by their settings', async () => {
    expect(await planFor({ 'config.toml': 'baseURL = "/"\npublishDir = "out"', 'content/a.md': '' })).toMatchObject({
      framework: 'hugo',
      outputDirectory: 'out',
    });
    expect((await planFor({ 'config.toml': 'base_url = "/"', 'content/a.md': '' })).framework).toBe('zola');
    expect((await planFor({ 'book.toml': '[book]', 'src/SUMMARY.md': '' })).framework).toBe('mdbook');
    await expect(planFor({ 'config.toml': 'baseURL = "/"' })).rejects.toThrow('Nothing in');
  });
});

async function frameworkOf(path: string, text: string): Promise<string | null> {
  return (await planFor({ [path]: text, 'main.py': '' })).framework;
}

async function startOf(files: Record<string, string>): Promise<string | null> {
  return (await planFor(files)).startCommand;
}

async function folderOf(files: Record<string, string>): Promise<string | null> {
  return (await planFor(files)).outputDirectory;
}
