import { describe, expect, it } from 'vitest';
import { planFor } from '../testing/plan-for.ts';

const mkdocs = { 'mkdocs.yml': 'site_name: Docs\n', 'docs/index.md': '# Hi' };
const pages = { framework: 'mkdocs', language: 'python', deploymentType: 'static', outputDirectory: 'site' };

describe('MkDocs', () => {
  it('is pages also where requirements are listed, which are installed', async () => {
    expect(await planFor({ ...mkdocs, 'requirements.txt': 'mkdocs==1.6\nmkdocs-material\n' })).toMatchObject({
      ...pages,
      installCommand: 'pip install -r requirements.txt',
      buildCommand: 'mkdocs build',
    });
    expect(await planFor({ ...mkdocs, 'docs/requirements.txt': 'mkdocs-material\n' })).toMatchObject({
      ...pages,
      installCommand: 'pip install -r docs/requirements.txt',
    });
  });

  it('is installed with the groups of a project file that a server would leave out', async () => {
    const project = '[project]\nname = "x"\n[dependency-groups]\ndocs = ["mkdocs>=1.6", "mkdocs-material"]\n';
    expect(await planFor({ ...mkdocs, 'pyproject.toml': project })).toMatchObject({
      ...pages,
      installCommand: 'pip install mkdocs mkdocs-material',
    });
    expect(await planFor({ ...mkdocs, 'pyproject.toml': project, 'uv.lock': '' })).toMatchObject({
      ...pages,
      installCommand: 'uv sync --frozen --all-groups --all-extras',
      buildCommand: 'uv run --no-sync mkdocs build',
    });
    const poetry = '[tool.poetry.group.docs.dependencies]\nmkdocs = "*"\n';
    expect(await planFor({ ...mkdocs, 'pyproject.toml': poetry, 'poetry.lock': '' })).toMatchObject({
      ...pages,
      buildCommand: 'poetry run mkdocs build',
    });
  });

  it('alone gets the theme that its settings name', async () => {
    const material = { ...mkdocs, 'mkdocs.yml': 'site_name: x\ntheme:\n  name: material\nsite_dir: out\n' };
    expect(await planFor(material)).toMatchObject({
      installCommand: 'pip install mkdocs-material',
      outputDirectory: 'out',
    });
  });

  it('beside a program that serves, or a site of JavaScript, is only its documentation', async () => {
    const flask = { ...mkdocs, 'requirements.txt': 'flask\nmkdocs\n', 'app.py': 'app = Flask(__name__)' };
    expect(await planFor(flask)).toMatchObject({ framework: 'flask', deploymentType: 'container' });
    expect((await planFor(flask, { framework: 'mkdocs' })).framework).toBe('mkdocs');
    expect((await planFor({ ...mkdocs, 'manage.py': '' })).framework).toBe('django');
    const vite = { scripts: { build: 'vite build' }, devDependencies: { vite: '7.0.0' } };
    expect((await planFor({ ...mkdocs, 'package.json': vite })).framework).toBe('vite');
    const linted = { devDependencies: { markdownlint: '1.0.0' }, scripts: { lint: 'markdownlint .' } };
    expect((await planFor({ ...mkdocs, 'package.json': linted })).framework).toBe('mkdocs');
  });
});

describe('other sites of Python', () => {
  it('Sphinx: writes beside its sources, wherever they lie', async () => {
    expect(await planFor({ 'docs/conf.py': 'project = "x"', 'requirements.txt': 'sphinx\nfuro\n' })).toMatchObject({
      framework: 'sphinx',
      deploymentType: 'static',
      installCommand: 'pip install -r requirements.txt',
      buildCommand: 'sphinx-build -b html docs docs/_build/html',
      outputDirectory: 'docs/_build/html',
    });
    expect(await planFor({ 'conf.py': 'html_theme = "furo"', 'index.rst': '' })).toMatchObject({
      framework: 'sphinx',
      installCommand: 'pip install sphinx',
      outputDirectory: '_build/html',
    });
    expect((await planFor({ 'docs/source/conf.py': 'extensions = []' })).outputDirectory).toBe('docs/build/html');
    expect((await planFor({ 'conf.py': 'DEBUG = 1', 'main.py': '' })).framework).toBeNull();
  });

  it('Pelican and Jupyter Book: by their settings', async () => {
    const pelican = { 'pelicanconf.py': 'PATH = "pages"\n', 'publishconf.py': '', 'requirements.txt': 'pelican\n' };
    expect(await planFor(pelican)).toMatchObject({
      framework: 'pelican',
      buildCommand: 'pelican pages -s publishconf.py',
      outputDirectory: 'output',
    });
    const book = { '_config.yml': 'title: x', '_toc.yml': 'root: intro', 'requirements.txt': 'jupyter-book\n' };
    expect(await planFor(book)).toMatchObject({ framework: 'jupyter-book', outputDirectory: '_build/html' });
  });
});
