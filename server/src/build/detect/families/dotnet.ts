import type { Family } from '../finding.ts';
import { readWebProcess } from '../procfile.ts';

export const dotnet: Family = {
  name: '.NET',
  frameworks: ['dotnet', 'aspnet', 'blazor'],
  async detect({ files }) {
    const project = [...files.fileNames].find((name) => /\.(cs|fs|vb)proj$/.test(name));
    const solution = [...files.fileNames].find((name) => /\.slnx?$/.test(name));
    if (!project && !solution) return null;
    const text = project ? withoutComments((await files.read(project)) ?? '') : '';
    if (/Sdk="Microsoft\.NET\.Sdk\.BlazorWebAssembly"/.test(text)) return blazorSite();
    return {
      framework: /Sdk="Microsoft\.NET\.Sdk\.Web"/.test(text) ? 'aspnet' : null,
      language: 'dotnet',
      deploymentType: 'container',
      runtime: 'dotnet',
      installCommand: 'dotnet restore',
      buildCommand: 'dotnet publish --no-restore -c Release -o out',
      startCommand: (await readWebProcess(files)) ?? startOf(project, text),
    };
  },
};

/** Runs in the browser. */
function blazorSite() {
  return {
    framework: 'blazor',
    language: 'dotnet',
    deploymentType: 'static',
    installCommand: 'dotnet restore',
    buildCommand: 'dotnet publish --no-restore -c Release -o out',
    outputDirectory: 'out/wwwroot',
    isSinglePage: true,
  } as const;
}

function startOf(project: string | undefined, text: string): string | null {
  if (!project) return null;
  const name = text.match(/<AssemblyName>([^<]+)<\/AssemblyName>/)?.[1] ?? project.replace(/\.\w+$/, '');
  return `ASPNETCORE_URLS=http://0.0.0.0:$PORT ./out/${name}`;
}

function withoutComments(text: string): string {
  return text.replaceAll(/<!--[\s\S]*?-->/g, '');
}
