import type { Family, Finding } from '../finding.ts';
import type { ProjectFiles } from '../project-files.ts';
import { parseJson, parseToml, parseYaml, type Table, toTable, toText } from '../parse/read-data.ts';

const HUGO_FILES = ['hugo.toml', 'hugo.yaml', 'hugo.yml', 'hugo.json'];
const SHARED_FILES = ['config.toml', 'config.yaml', 'config.yml', 'config.json'];

/** Generators of sites that are programs of their own. */
export const siteGeneratorPrograms: Family = {
  name: 'site generators',
  frameworks: ['hugo', 'zola', 'mdbook'],
  async detect({ files }) {
    return (await findHugoOrZola(files)) ?? (await findMdbook(files)) ?? findJekyll(files);
  },
};

/** Both used to name their file `config.toml`: the spelling of the address tells them apart. */
async function findHugoOrZola(files: ProjectFiles): Promise<Finding | null> {
  const path = await files.findFirst([...HUGO_FILES, ...SHARED_FILES]);
  const isHugoFolder = await files.hasFolder('config/_default');
  if (!path) return isHugoFolder && files.folderNames.has('content') ? hugo({}) : null;
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

/** Settings alone, as sites without a Gemfile have them. */
function findJekyll({ fileNames }: ProjectFiles): Finding | null {
  if (!fileNames.has('_config.yml') || fileNames.has('_toc.yml')) return null;
  return { ...site('jekyll', '_site', 'jekyll build'), language: 'ruby' };
}

function site(framework: string, outputDirectory: string, buildCommand: string): Finding {
  return { framework, language: 'other', deploymentType: 'static', buildCommand, outputDirectory };
}
