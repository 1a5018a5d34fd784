import { posix } from 'node:path';
import type { Family, Finding, Project } from '../finding.ts';
import { readManifest } from '../javascript/package-manifest.ts';
import type { ProjectFiles } from '../project-files.ts';
import { findRequirements, installDocsTool } from '../python/python-docs.ts';
import { isPythonServer } from '../python/python-frameworks.ts';
import { readPythonVersion } from '../python/python-version.ts';
import { shellWord } from '../shell-word.ts';

interface Site {
  framework: string;
  /** The package that is installed where the project lists none. */
  wanted?: string;
  command: string;
  outputDirectory: string;
}

/** Its name stands behind it, or in a line of its own. */
const THEME = /^theme:(\s*)(name:\s*)?['"]?material\b/gm;

const SPHINX_FOLDERS = ['docs', 'docs/source', 'doc', 'doc/source', 'source', ''];

/** Generators of sites that are packages of Python: their requirements do not make a server of the pages. */
export const pythonSites: Family = {
  name: 'sites of Python',
  frameworks: ['mkdocs', 'sphinx', 'pelican', 'jupyter-book'],
  async detect(project) {
    const { files } = project;
    const site =
      (await findMkdocs(files)) ?? (await findPelican(files)) ?? findJupyterBook(files) ?? (await findSphinx(files));
    if (!site || !(await isMeant(project, site))) return null;
    return describe(files, site);
  },
};

/** Beside a program that serves or a build of JavaScript, it only is its documentation. */
async function isMeant({ files, chosenFramework }: Project, site: Site): Promise<boolean> {
  if (chosenFramework === site.framework) return true;
  if (await isPythonServer(files)) return false;
  const scripts = (await readManifest(files))?.scripts ?? {};
  return !scripts['build'] && !scripts['start'];
}

async function describe(files: ProjectFiles, site: Site): Promise<Finding> {
  const { installCommand, prefix } = await installDocsTool(files, site.framework, site.wanted ?? site.framework);
  return {
    framework: site.framework,
    language: 'python',
    deploymentType: 'static',
    installCommand,
    buildCommand: `${prefix}${site.command}`,
    outputDirectory: site.outputDirectory,
    languageVersion: await readPythonVersion(files),
  };
}

async function findMkdocs(files: ProjectFiles): Promise<Site | null> {
  const path = await files.findFirst(['mkdocs.yml', 'mkdocs.yaml']);
  if (!path) return null;
  // Tags of its own, such as !!python/name, are legal there: only single lines are read.
  const text = (await files.read(path)) ?? '';
  const folder = text.match(/^site_dir:\s*['"]?([^\s'"#]+)/m)?.[1];
  const isMaterial = [...text.matchAll(THEME)].some(([, space = '', name]) => name === undefined || /\n\s/.test(space));
  return {
    framework: 'mkdocs',
    wanted: isMaterial ? 'mkdocs-material' : 'mkdocs',
    command: 'mkdocs build',
    outputDirectory: folder ?? 'site',
  };
}

async function findPelican(files: ProjectFiles): Promise<Site | null> {
  const text = await files.read('pelicanconf.py');
  if (text === null) return null;
  const settings = files.fileNames.has('publishconf.py') ? 'publishconf.py' : 'pelicanconf.py';
  const content = text.match(/^PATH\s*=\s*['"]([^'"]+)['"]/m)?.[1] ?? 'content';
  const outputDirectory = text.match(/^OUTPUT_PATH\s*=\s*['"]([^'"]+)['"]/m)?.[1] ?? 'output';
  return { framework: 'pelican', command: `pelican ${shellWord(content)} -s ${settings}`, outputDirectory };
}

function findJupyterBook({ fileNames }: ProjectFiles): Site | null {
  if (!fileNames.has('_toc.yml') || !fileNames.has('_config.yml')) return null;
  return { framework: 'jupyter-book', command: 'jupyter-book build .', outputDirectory: '_build/html' };
}

/** `conf.py` is a name that others use too: it must look like one of Sphinx. */
async function findSphinx(files: ProjectFiles): Promise<Site | null> {
  const path = await files.findFirst(SPHINX_FOLDERS.map((folder) => posix.join(folder, 'conf.py')));
  if (!path) return null;
  const isSphinx = /\bsphinx\b|^html_theme\b|^extensions\s*=/im.test((await files.read(path)) ?? '');
  if (!isSphinx && !(await findRequirements(files, 'sphinx'))) return null;
  const source = posix.dirname(path);
  const outputDirectory =
    posix.basename(source) === 'source' ? posix.join(source, '../build/html') : posix.join(source, '_build/html');
  return { framework: 'sphinx', command: `sphinx-build -b html ${source} ${outputDirectory}`, outputDirectory };
}
