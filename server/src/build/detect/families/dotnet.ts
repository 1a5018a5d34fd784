import { posix } from 'node:path';
import type { Family } from '../finding.ts';
import { withoutComments } from '../parse/without-comments.ts';
import type { ProjectFiles } from '../project-files.ts';
import { shellWord } from '../shell-word.ts';
import { readWebProcess } from '../procfile.ts';

const IN_BROWSER = /Sdk="Microsoft\.NET\.Sdk\.BlazorWebAssembly"/;
const ON_SERVER = /Sdk="Microsoft\.NET\.Sdk\.Web"/;
const MAX_PROJECTS = 12;

export const dotnet: Family = {
  name: '.NET',
  frameworks: ['dotnet', 'aspnet', 'blazor'],
  async detect({ files }) {
    const own = [...files.fileNames].find((name) => /\.(cs|fs|vb)proj$/.test(name));
    const solution = [...files.fileNames].find((name) => /\.slnx?$/.test(name));
    if (!own && !solution) return null;
    const project = own ?? (await findInSolution(files, (solution && (await files.read(solution))) ?? ''));
    const text = project ? withoutComments((await files.read(project)) ?? '', ['<!--']) : '';
    const path = project && project !== own ? `${shellWord(project)} ` : '';
    const commands = {
      installCommand: 'dotnet restore',
      buildCommand: `dotnet publish ${path}--no-restore -c Release -o out`,
    };
    if (IN_BROWSER.test(text)) return { ...blazorSite, ...commands };
    return {
      framework: ON_SERVER.test(text) ? 'aspnet' : null,
      language: 'dotnet',
      deploymentType: 'container',
      runtime: 'dotnet',
      ...commands,
      startCommand: (await readWebProcess(files)) ?? startOf(project, text),
    };
  },
};

/** Runs in the browser. */
const blazorSite = {
  framework: 'blazor',
  language: 'dotnet',
  deploymentType: 'static',
  outputDirectory: 'out/wwwroot',
  isSinglePage: true,
} as const;

/** The project of a solution that serves; one for the browser where none does. */
async function findInSolution(files: ProjectFiles, solution: string): Promise<string | undefined> {
  const named = [...solution.matchAll(/"([^"]+\.(?:cs|fs|vb)proj)"/g)].map((match) => match[1]!.replaceAll('\\', '/'));
  const paths = named.filter((path) => !/tests?\b/i.test(path)).slice(0, MAX_PROJECTS);
  const texts = await Promise.all(paths.map(async (path) => withoutComments((await files.read(path)) ?? '', ['<!--'])));
  const index = [ON_SERVER, IN_BROWSER].map((kind) => texts.findIndex((text) => kind.test(text))).find((at) => at >= 0);
  return index === undefined ? undefined : paths[index];
}

function startOf(project: string | undefined, text: string): string | null {
  if (!project) return null;
  const name =
    text.match(/<AssemblyName>([^<]+)<\/AssemblyName>/)?.[1] ?? posix.basename(project).replace(/\.\w+$/, '');
  return `ASPNETCORE_URLS=http://0.0.0.0:$PORT ./out/${name}`;
}
