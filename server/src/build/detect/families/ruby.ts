import type { Family, Finding } from '../finding.ts';
import type { ProjectFiles } from '../project-files.ts';
import { parseYaml, toText } from '../parse/read-data.ts';
import { readWebProcess } from '../procfile.ts';

const INSTALL = 'bundle install';
const ENTRIES = ['app.rb', 'main.rb', 'server.rb', 'application.rb'];

export const ruby: Family = {
  name: 'Ruby',
  frameworks: ['ruby', 'rails', 'sinatra', 'hanami', 'roda', 'jekyll', 'middleman', 'bridgetown', 'nanoc'],
  async detect({ files }) {
    const gems = await readGems(files);
    if (!gems) return isBareJekyll(files) ? describeJekyll(files, null) : null;
    if (gems.has('jekyll') || gems.has('github-pages')) return describeJekyll(files, INSTALL);
    if (gems.has('middleman')) return site('middleman', 'build', 'bundle exec middleman build');
    if (gems.has('bridgetown')) return site('bridgetown', 'output', 'bin/bridgetown deploy');
    if (gems.has('nanoc')) return site('nanoc', 'output', 'bundle exec nanoc');
    const framework = ['rails', 'hanami', 'sinatra', 'roda'].find((name) => gems.has(name)) ?? null;
    return describeServer(files, framework, gems);
  },
};

/** The gems that a Gemfile names; null where there is none. */
async function readGems(files: ProjectFiles): Promise<ReadonlySet<string> | null> {
  const text = await files.read('Gemfile');
  if (text === null) return null;
  const code = text.replaceAll(/^[ \t]*#[^\n]*/gm, '');
  return new Set([...code.matchAll(/^[ \t]*gem[\s(]+['"]([^'"]+)['"]/gm)].map((match) => match[1] ?? ''));
}

function isBareJekyll({ fileNames, folderNames }: ProjectFiles): boolean {
  return (
    fileNames.has('_config.yml') &&
    !fileNames.has('package.json') &&
    ['_posts', '_layouts', '_includes'].some((name) => folderNames.has(name))
  );
}

async function describeJekyll(files: ProjectFiles, installCommand: string | null): Promise<Finding> {
  const settings = parseYaml('_config.yml', (await files.read('_config.yml')) ?? '');
  const command = installCommand ? 'bundle exec jekyll build' : 'jekyll build';
  return {
    ...site('jekyll', toText(settings['destination']) ?? '_site', command),
    installCommand,
    cacheFolders: ['.jekyll-cache'],
    buildVariables: { JEKYLL_ENV: 'production' },
  };
}

function site(framework: string, outputDirectory: string, buildCommand: string): Finding {
  return {
    framework,
    language: 'ruby',
    deploymentType: 'static',
    installCommand: INSTALL,
    buildCommand,
    outputDirectory,
  };
}

async function describeServer(
  files: ProjectFiles,
  framework: string | null,
  gems: ReadonlySet<string>,
): Promise<Finding> {
  const isRails = framework === 'rails';
  return {
    framework,
    language: 'ruby',
    deploymentType: 'container',
    runtime: 'ruby',
    installCommand: INSTALL,
    buildCommand: isRails ? 'bundle exec rails assets:precompile' : null,
    startCommand: (await readWebProcess(files)) ?? defaultStart(files, framework, gems),
    cacheFolders: isRails ? ['tmp/cache'] : [],
    buildVariables: isRails ? { RAILS_ENV: 'production', SECRET_KEY_BASE_DUMMY: '1' } : {},
  };
}

function defaultStart({ fileNames }: ProjectFiles, framework: string | null, gems: ReadonlySet<string>): string | null {
  if (framework === 'rails') return 'bundle exec rails server -b 0.0.0.0 -p $PORT';
  if (framework === 'hanami') return 'bundle exec hanami server --host 0.0.0.0 --port $PORT';
  // Since Rack 3 its program is a gem of its own.
  if (fileNames.has('config.ru') && gems.has('puma') && !gems.has('rackup')) {
    return 'bundle exec puma -b tcp://0.0.0.0:$PORT';
  }
  if (fileNames.has('config.ru')) return 'bundle exec rackup config.ru -o 0.0.0.0 -p $PORT';
  const entry = ENTRIES.find((name) => fileNames.has(name));
  return entry ? `bundle exec ruby ${entry}` : null;
}
