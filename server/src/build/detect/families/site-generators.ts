import type { Family, Finding } from '../finding.ts';
import type { ProjectFiles } from '../project-files.ts';
import { parseJson, parseToml, parseYaml, type Table, toTable, toText } from '../parse/read-data.ts';

const HUGO_FILES = ['hugo.toml', 'hugo.yaml', 'hugo.yml', 'hugo.json'];
const SHARED_FILES = ['config.toml', 'config.yaml', 'config.yml', 'config.json'];

const HUGO_FOLDERS = ['content', 'layouts', 'archetypes', 'themes'];

/** Generators of sites that are programs of their own. */
export const siteGeneratorPrograms: Family = {
  name: 'site generators',
  frameworks: ['hugo', 'zola', 'mdbook', 'quarto'],
  async detect({ files }) {
    return (await findHugoOrZola(files)) ?? (await findMdbook(files)) ?? (await findQuarto(files)) ?? findJekyll(files);
  },
};

/** Both used to name their file `config.toml`: the spelling of the address tells them apart. */
export async function findHugoOrZola(files: ProjectFiles): Promise<Finding | null> {
  const path = await files.findFirst([...HUGO_FILES, ...SHARED_FILES]);
  const isHugoFolder = await files.hasFolder('config/_default');
  if (!path) return isHugoFolder && HUGO_FOLDERS.some((name) => files.folderNames.has(name)) ? hugo({}) : null;
  const settings = parseSettings(path, (await files.read(path)) ?? '');
  if (HUGO_FILES.includes(path)) return hugo(settings);
  const hasPages = ['content', 'layouts', 'themes', 'archetypes', 'templates'].some((name) =>
    files.folderNames.has(name),
  );
  if (!hasPages) return null;
  if ('base_url' in settings) return zola(settings);
  return Object.keys(settings).some((key) => key.toLowerCase() === 'baseurl') ? hugo(settings) : null;
}

function parseSettings(path: string, text: string): Table {
  if (path.endsWith('.json')) return parseJson(path, text);
  return path.endsWith('.toml') ? parseToml(path, text) : parseYaml(path, text);
}

function hugo(settings: Table): Finding {
  const folder = Object.entries(settings).find(([key]) => key.toLowerCase() === 'publishdir')?.[1];
  return site('hugo', toText(folder) ?? 'public', 'hugo --gc --minify');
}

function zola(settings: Table): Finding {
  return site('zola', toText(settings['output_dir']) ?? 'public', 'zola build');
}

async function findMdbook(files: ProjectFiles): Promise<Finding | null> {
  const text = await files.read('book.toml');
  if (text === null) return null;
  const folder = toText(toTable(parseToml('book.toml', text)['build'])['build-dir']);
  return site('mdbook', folder ?? 'book', 'mdbook build');
}

async function findQuarto(files: ProjectFiles): Promise<Finding | null> {
  const path = await files.findFirst(['_quarto.yml', '_quarto.yaml']);
  if (!path) return null;
  const project = toTable(parseYaml(path, (await files.read(path)) ?? '')['project']);
  const usual = toText(project['type']) === 'book' ? '_book' : '_site';
  return site('quarto', toText(project['output-dir']) ?? usual, 'quarto render');
}

/** Settings alone, as sites without a Gemfile have them. */
function findJekyll({ fileNames }: ProjectFiles): Finding | null {
  if (!fileNames.has('_config.yml') || fileNames.has('_toc.yml')) return null;
  return { ...site('jekyll', '_site', 'jekyll build'), language: 'ruby' };
}

function site(framework: string, outputDirectory: string, buildCommand: string): Finding {
  return { framework, language: 'other', deploymentType: 'static', buildCommand, outputDirectory };
}

/** Files that nothing but Hugo has. Its modules bring a go.mod along, and its themes a package.json. */
export async function isCertainlyHugo(files: ProjectFiles): Promise<boolean> {
  const { fileNames, folderNames } = files;
  if (HUGO_FILES.some((name) => fileNames.has(name))) return true;
  if (fileNames.has('composer.json') || !HUGO_FOLDERS.some((name) => folderNames.has(name))) return false;
  const isModule = fileNames.has('go.mod') && !fileNames.has('main.go');
  return (isModule && SHARED_FILES.some((name) => fileNames.has(name))) || (await files.hasFolder('config/_default'));
}
