import type { Family, Finding } from '../finding.ts';
import type { ProjectFiles } from '../project-files.ts';

/** Where a folder of pages usually lies, when it is not the root. */
const FOLDERS = ['public', 'dist', 'build', 'site', 'www', '_site', 'docs', 'html', 'htdocs', 'static', 'src'];

/** Pages as they are: nothing to install, nothing to build. */
export const staticHtml: Family = {
  name: 'HTML',
  frameworks: ['html', 'static', 'other'],
  async detect({ files }) {
    const staticfile = await files.read('Staticfile');
    if (staticfile !== null) return pages(staticfile.match(/^root:\s*(\S+)/m)?.[1] ?? '');
    if (files.fileNames.has('index.html') || files.fileNames.has('index.htm')) return pages('');
    const folder = await findFolder(files);
    if (folder) return pages(folder);
    return [...files.fileNames].some((name) => /\.html?$/.test(name)) ? withoutIndex() : null;
  },
};

async function findFolder(files: ProjectFiles): Promise<string | null> {
  for (const folder of FOLDERS) {
    if (files.folderNames.has(folder) && (await files.has(`${folder}/index.html`))) return folder;
  }
  return null;
}

function pages(outputDirectory: string): Finding {
  return { framework: null, language: 'static', deploymentType: 'static', outputDirectory };
}

function withoutIndex(): Finding {
  return { ...pages(''), notes: ['There is no index.html, so the address itself shows no page.'] };
}
