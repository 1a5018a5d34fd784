import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface DocPage {
  /** As in the address of its resource: `databases`, `reference/errors`. */
  name: string;
  title: string;
  text: string;
}

const folder = fileURLToPath(new URL('../../../docs/', import.meta.url));

/** The endpoints come from the contract itself, and how the platform is built is nothing to use it by. */
const leftOut = new Set(['reference/api', 'ARCHITECTURE', 'a-deployment-step-by-step']);

let pages: readonly DocPage[] | undefined;

/** The pages for those who use the platform; none where only the command line is installed. */
export function docPages(): readonly DocPage[] {
  return (pages ??= existsSync(folder) ? readPages() : []);
}

function readPages(): DocPage[] {
  const files = globSync(['*.md', 'reference/*.md'], { cwd: folder }).toSorted();
  return files
    .map((file) => ({ name: file.replaceAll('\\', '/').replace(/\.md$/, ''), file }))
    .filter(({ name }) => !leftOut.has(name))
    .map(({ name, file }) => {
      const text = readFileSync(`${folder}${file}`, 'utf8');
      return { name, title: /^# (.+)$/m.exec(text)?.[1] ?? name, text };
    });
}
