import type { ProjectFiles } from '../project-files.ts';
import { parseToml, toTable, toTexts } from '../parse/read-data.ts';

/** The names of the packages that a project of Python asks for, in lower case with dashes. */
export async function readPythonPackages(files: ProjectFiles): Promise<ReadonlySet<string>> {
  const lists = await Promise.all([
    fromRequirements(files),
    fromPyproject(files),
    fromPipfile(files),
    fromSetup(files),
  ]);
  return new Set(lists.flat().map(normalise).filter(Boolean));
}

async function fromRequirements(files: ProjectFiles): Promise<string[]> {
  const paths = ['requirements.txt', 'requirements.in', 'requirements/base.txt', 'requirements/production.txt'];
  const texts = await Promise.all(paths.map((path) => files.read(path)));
  return texts.flatMap((text) => (text ?? '').split('\n')).filter((line) => !/^\s*(#|-)/.test(line));
}

async function fromPyproject(files: ProjectFiles): Promise<string[]> {
  const text = await files.read('pyproject.toml');
  if (!text) return [];
  const { project, tool, ...rest } = parseToml('pyproject.toml', text);
  const poetry = toTable(toTable(tool)['poetry']);
  const groups = Object.values(toTable(rest['dependency-groups'])).flatMap(toTexts);
  const optional = Object.values(toTable(toTable(project)['optional-dependencies'])).flatMap(toTexts);
  const declared = toTexts(toTable(project)['dependencies']);
  const ofPoetry = [poetry, ...Object.values(toTable(poetry['group']))].map((group) => toTable(group)['dependencies']);
  const ofPdm = Object.values(toTable(toTable(toTable(tool)['pdm'])['dev-dependencies'])).flatMap(toTexts);
  return [...declared, ...optional, ...groups, ...ofPdm, ...ofPoetry.flatMap((table) => Object.keys(toTable(table)))];
}

async function fromPipfile(files: ProjectFiles): Promise<string[]> {
  const text = await files.read('Pipfile');
  return text ? Object.keys(toTable(parseToml('Pipfile', text)['packages'])) : [];
}

/** A program, so only what is plainly written in it. */
async function fromSetup(files: ProjectFiles): Promise<string[]> {
  const text = (await files.read('setup.py'))?.replaceAll(/#[^\n]*/g, '');
  const opening = text?.match(/install_requires\s*=\s*\[/);
  if (!text || !opening) return [];
  const start = opening.index! + opening[0].length;
  const list = text.slice(start, Math.max(start, text.indexOf(']', start)));
  return [...list.matchAll(/['"]([^'"]+)['"]/g)].map((match) => match[1] ?? '');
}

/** `Flask[async]>=3 ; python_version > "3.8"` is the package flask. */
function normalise(requirement: string): string {
  const name = requirement.trim().match(/^[A-Za-z0-9][\w.-]*/)?.[0] ?? '';
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}
