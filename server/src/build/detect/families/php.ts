import type { Family, Finding } from '../finding.ts';
import type { ProjectFiles } from '../project-files.ts';
import { parseJson, toTextTable } from '../parse/read-data.ts';
import { readWebProcess } from '../procfile.ts';

const FRAMEWORKS: readonly [string, string][] = [
  ['laravel', 'laravel/framework'],
  ['lumen', 'laravel/lumen-framework'],
  ['symfony', 'symfony/framework-bundle'],
  ['drupal', 'drupal/core-recommended'],
  ['drupal', 'drupal/core'],
  ['wordpress', 'roots/wordpress'],
  ['wordpress', 'johnpbloch/wordpress'],
  ['codeigniter', 'codeigniter4/framework'],
  ['cakephp', 'cakephp/cakephp'],
  ['yii', 'yiisoft/yii2'],
  ['slim', 'slim/slim'],
];

export const php: Family = {
  name: 'PHP',
  frameworks: ['php', ...FRAMEWORKS.map(([slug]) => slug)],
  async detect({ files }) {
    const folder = await publicFolder(files);
    if (folder === null && !files.fileNames.has('composer.json')) return null;
    const composer = parseJson('composer.json', (await files.read('composer.json')) ?? '{}');
    const required = toTextTable(composer['require']);
    const named = FRAMEWORKS.find(([, name]) => name in required)?.[0] ?? null;
    const framework = named ?? (isWordPress(files) ? 'wordpress' : null);
    return describe(files, framework, folder ?? '.');
  },
};

/** Copied in as it was downloaded, without a manifest. */
function isWordPress({ fileNames, folderNames }: ProjectFiles): boolean {
  return fileNames.has('index.php') && (folderNames.has('wp-content') || fileNames.has('wp-config-sample.php'));
}

/** The folder whose index.php answers; null where there is none. */
async function publicFolder(files: ProjectFiles): Promise<string | null> {
  for (const folder of ['public', 'web', 'webroot', 'htdocs']) {
    if (files.folderNames.has(folder) && (await files.has(`${folder}/index.php`))) return folder;
  }
  return files.fileNames.has('index.php') ? '.' : null;
}

async function describe(files: ProjectFiles, framework: string | null, folder: string): Promise<Finding> {
  const server =
    framework === 'laravel' ? 'php artisan serve --host=0.0.0.0 --port=$PORT' : `php -S 0.0.0.0:$PORT -t ${folder}`;
  return {
    framework,
    language: 'php',
    deploymentType: 'container',
    runtime: 'php',
    installCommand: files.fileNames.has('composer.json')
      ? 'composer install --no-dev --optimize-autoloader --no-interaction'
      : null,
    buildCommand:
      files.fileNames.has('package.json') && files.fileNames.has('vite.config.js')
        ? 'npm install && npm run build'
        : null,
    startCommand: (await readWebProcess(files)) ?? server,
  };
}
