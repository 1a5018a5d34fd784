import { posix } from 'node:path';
import { hasPackage, type JsProject, readConfig } from '../javascript/js-project.ts';
import { onlyString } from '../parse/script-settings.ts';
import { parseYaml, toText } from '../parse/read-data.ts';
import { type JsFramework, pagesIn } from './js-framework.ts';

/** Generators of sites: a file for each page. */
export const siteGenerators: readonly JsFramework[] = [
  {
    slug: 'gatsby',
    packages: ['gatsby'],
    buildProgram: 'gatsby build',
    describe: () => pagesIn('public', { cacheFolders: ['.cache', 'public'] }),
  },
  {
    slug: 'docusaurus-2',
    packages: ['@docusaurus/core'],
    buildProgram: 'docusaurus build',
    describe: () => pagesIn('build', { cacheFolders: ['.docusaurus', 'node_modules/.cache'] }),
  },
  {
    slug: 'docusaurus',
    packages: ['docusaurus'],
    buildProgram: 'docusaurus-build',
    describe: async (project) => pagesIn(await docusaurusOneOutput(project)),
  },
  {
    slug: 'vitepress',
    packages: ['vitepress'],
    isUsed: (project) => isBuiltBy(project, 'vitepress'),
    buildProgram: 'vitepress build docs',
    describe: (project) => describePress(project, 'vitepress', ['docs', '.']),
  },
  {
    slug: 'vuepress',
    packages: ['vuepress', '@vuepress/cli'],
    isUsed: (project) => isBuiltBy(project, 'vuepress'),
    buildProgram: 'vuepress build docs',
    describe: (project) => describePress(project, 'vuepress', ['docs', 'src', '.']),
  },
  {
    slug: 'eleventy',
    packages: ['@11ty/eleventy'],
    buildProgram: '@11ty/eleventy',
    describe: async (project) => pagesIn(await eleventyOutput(project), { cacheFolders: ['.cache'] }),
  },
  {
    slug: 'hexo',
    packages: ['hexo'],
    buildProgram: 'hexo generate',
    describe: async (project) => {
      const settings = parseYaml('_config.yml', (await project.files.read('_config.yml')) ?? '');
      return pagesIn(toText(settings['public_dir']) ?? 'public');
    },
  },
  {
    slug: 'metalsmith',
    packages: ['metalsmith'],
    buildProgram: 'metalsmith',
    describe: () => pagesIn('build'),
  },
  {
    slug: 'gridsome',
    packages: ['gridsome'],
    buildProgram: 'gridsome build',
    describe: () => pagesIn('dist', { cacheFolders: ['node_modules/.cache'] }),
  },
  {
    slug: 'rspress',
    packages: ['rspress', '@rspress/core'],
    buildProgram: 'rspress build',
    describe: () => pagesIn('doc_build'),
  },
  { slug: 'zudoku', packages: ['zudoku'], buildProgram: 'zudoku build', describe: () => pagesIn('dist') },
  {
    slug: 'saber',
    packages: ['saber'],
    buildProgram: 'saber build',
    describe: () => pagesIn('public'),
  },
  {
    slug: 'gitbook',
    packages: ['honkit', 'gitbook-cli'],
    buildProgram: 'honkit build',
    describe: () => pagesIn('_book'),
  },
  {
    slug: 'storybook',
    packages: ['storybook'],
    isUsed: isStorybookAlone,
    buildProgram: 'storybook build',
    describe: ({ manifest }) => {
      const script = STORYBOOK_SCRIPTS.find((name) => buildsStorybook(manifest.scripts[name])) ?? 'build';
      const folder = manifest.scripts[script]?.match(/(?:-o|--output-dir)[ =]+['"]?([^\s'"]+)/)?.[1];
      return pagesIn(folder ?? 'storybook-static', { scripts: [script] });
    },
  },
];

const STORYBOOK_SCRIPTS = ['build', 'build-storybook', 'storybook:build', 'build:storybook'];

function buildsStorybook(script: string | undefined): boolean {
  return /\bstorybook build\b|\bbuild-storybook\b/.test(script ?? '');
}

/** A library's components have nothing else to show; beside an application it only is its workshop. */
function isStorybookAlone({ manifest, files }: JsProject): boolean {
  const { build, start } = manifest.scripts;
  if (buildsStorybook(build)) return true;
  const isLibrary = !build || /^(tsc|tsup|tsdown|rollup|unbuild)\b/.test(build);
  return (
    isLibrary &&
    (!start || /storybook/.test(start)) &&
    !files.fileNames.has('index.html') &&
    STORYBOOK_SCRIPTS.some((name) => buildsStorybook(manifest.scripts[name]))
  );
}

const BUILD_SCRIPTS = ['build', 'docs:build', 'build:docs', 'docs-build'];

/** Beside an application, these only write its documentation. */
function isBuiltBy(project: JsProject, program: string): boolean {
  const { build } = project.manifest.scripts;
  return !build || build.includes(program) || !hasPackage(project, 'vite', '@vue/cli-service', 'react-scripts');
}

/** VitePress and VuePress take the folder of the pages as an argument, and write beside its configuration. */
async function describePress(project: JsProject, program: string, usual: readonly string[]) {
  const { scripts } = project.manifest;
  const named = BUILD_SCRIPTS.map((name) => scripts[name]?.match(new RegExp(`${program} build\\s+([^\\s-]\\S*)`))?.[1]);
  const source = named.find(Boolean) ?? (await firstFolderWith(project, usual, `.${program}`)) ?? '.';
  const config = await readConfig(project, posix.join(source, `.${program}`, 'config'));
  const outputDirectory = onlyString(config.find('outDir')) ?? onlyString(config.find('dest'));
  const [cache, output] = [`.${program}/cache`, `.${program}/dist`].map((path) => posix.join(source, path));
  return pagesIn(outputDirectory ? posix.join(source, outputDirectory) : output!, {
    scripts: BUILD_SCRIPTS,
    buildProgram: `${program} build ${source}`,
    cacheFolders: [cache!],
  });
}

async function firstFolderWith(project: JsProject, folders: readonly string[], name: string): Promise<string | null> {
  for (const folder of folders) if (await project.files.hasFolder(posix.join(folder, name))) return folder;
  return null;
}

async function eleventyOutput(project: JsProject): Promise<string> {
  const argument = project.manifest.scripts['build']?.match(/--output[ =]+['"]?([^\s'"]+)/)?.[1];
  if (argument) return argument;
  for (const name of ['eleventy.config', '.eleventy']) {
    const config = await readConfig(project, name);
    const output = onlyString(config.find('dir.output')) ?? onlyString(config.find('output'));
    if (output) return output;
  }
  return '_site';
}

/** Version 1 writes below a folder named after the project. */
async function docusaurusOneOutput(project: JsProject): Promise<string> {
  const name = onlyString((await readConfig(project, 'siteConfig')).find('projectName'));
  return name ? posix.join('build', name) : 'build';
}
