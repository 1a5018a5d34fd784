import type { Family } from '../finding.ts';
import type { ProjectFiles } from '../project-files.ts';
import { hasInOrder } from '../parse/lines.ts';
import { parseJson, type Table, toTable, toTextTable } from '../parse/read-data.ts';
import { readWebProcess } from '../procfile.ts';

const ENTRIES = ['main.ts', 'main.js', 'server.ts', 'mod.ts', 'index.ts', 'src/main.ts', 'src/index.ts'];

const FRESH = /^(\$fresh|fresh|@fresh\/)/;

export const deno: Family = {
  name: 'Deno',
  frameworks: ['deno', 'fresh', 'lume'],
  async detect({ files }) {
    const path = await files.findFirst(['deno.json', 'deno.jsonc']);
    if (!path && !(await isBareDeno(files))) return null;
    // Beside a package.json, Deno's file often only sets up its linter.
    if (path && files.fileNames.has('package.json') && !files.fileNames.has('deno.lock')) return null;
    const settings = path ? parseJson(path, (await files.read(path)) ?? '{}') : {};
    const tasks = toTextTable(settings['tasks']);
    const imports = await readImports(files, settings);
    if (imports.some((name) => name.startsWith('lume'))) return lumeSite(tasks);
    const tool = imports.some((name) => FRESH.test(name)) || tasks['start'] ? null : siteTool(tasks['build'] ?? '');
    if (tool) return builtSite(tool);
    const entry = await files.findFirst(ENTRIES);
    return {
      framework: imports.some((name) => FRESH.test(name)) ? 'fresh' : null,
      language: 'deno',
      deploymentType: 'container',
      runtime: 'deno',
      installCommand: entry ? `deno cache ${entry}` : null,
      buildCommand: tasks['build'] ? 'deno task build' : null,
      startCommand:
        (await readWebProcess(files)) ??
        (tasks['start'] ? 'deno task start' : entry && `deno run --allow-all ${entry}`),
    };
  },
};

/** Without a file of settings, the sources tell: nothing else imports from there. */
async function isBareDeno(files: ProjectFiles): Promise<boolean> {
  if (files.fileNames.has('package.json')) return false;
  if (files.fileNames.has('deno.lock')) return true;
  const entry = await files.findFirst(ENTRIES);
  return (
    entry !== null &&
    /from\s+['"](https:\/\/deno\.land|jsr:)|\bDeno\.(serve|listen|env)/.test((await files.read(entry)) ?? '')
  );
}

async function readImports(files: ProjectFiles, settings: Table): Promise<string[]> {
  const map = parseJson('import_map.json', (await files.read('import_map.json')) ?? '{}');
  return [...Object.keys(toTable(settings['imports'])), ...Object.keys(toTable(map['imports']))];
}

/** Tools that npm packages bring, run by Deno. */
function siteTool(build: string): 'vite' | 'astro' | null {
  if (hasInOrder(build, /\bastro\b/, /\bbuild\b/)) return 'astro';
  return hasInOrder(build, /\bvite\b/, /\bbuild\b/) ? 'vite' : null;
}

function builtSite(framework: 'vite' | 'astro') {
  return {
    framework,
    language: 'deno',
    deploymentType: 'static',
    installCommand: 'deno install',
    buildCommand: 'deno task build',
    outputDirectory: 'dist',
    isSinglePage: framework === 'vite',
  } as const;
}

function lumeSite(tasks: Readonly<Record<string, string>>) {
  return {
    framework: 'lume',
    language: 'deno',
    deploymentType: 'static',
    buildCommand: tasks['build'] ? 'deno task build' : 'deno task lume',
    outputDirectory: '_site',
  } as const;
}
