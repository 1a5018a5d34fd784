import type { Family } from '../finding.ts';
import { matchLine } from '../parse/lines.ts';
import type { ProjectFiles } from '../project-files.ts';
import { readWebProcess } from '../procfile.ts';

const FRAMEWORKS: readonly [string, RegExp][] = [
  ['gin', /^\s*(?:require\s+)?github\.com\/gin-gonic\/gin(?:\s|$)/],
  ['echo', /^\s*(?:require\s+)?github\.com\/labstack\/echo(?:\/v\d+)?(?:\s|$)/],
  ['fiber', /^\s*(?:require\s+)?github\.com\/gofiber\/fiber(?:\/v\d+)?(?:\s|$)/],
  ['chi', /^\s*(?:require\s+)?github\.com\/go-chi\/chi(?:\/v\d+)?(?:\s|$)/],
];

export const go: Family = {
  name: 'Go',
  frameworks: ['go', ...FRAMEWORKS.map(([slug]) => slug)],
  async detect({ files }) {
    const hasSource = [...files.fileNames].some((name) => name.endsWith('.go'));
    if (!hasSource && !files.fileNames.has('go.mod') && !files.fileNames.has('go.work')) return null;
    const required = ((await files.read('go.mod')) ?? '').replaceAll(/\/\/[^\n]*/g, '');
    return {
      framework: FRAMEWORKS.find(([, pattern]) => matchLine(required, pattern))?.[0] ?? null,
      language: 'go',
      deploymentType: 'container',
      runtime: 'go',
      buildCommand: `go build -o out ${await findMain(files, hasSource)}`,
      startCommand: (await readWebProcess(files)) ?? './out',
    };
  },
};

/** Programs lie in the root or below `cmd/`; in a workspace of modules, in the first that it uses. */
async function findMain(files: ProjectFiles, hasSource: boolean): Promise<string> {
  if (files.fileNames.has('main.go')) return '.';
  const commands = (await files.list('cmd')).filter((entry) => entry.kind === 'folder').map((entry) => entry.name);
  const command = commands.find((name) => /server|api|web|app/.test(name)) ?? commands[0];
  if (command) return `./cmd/${command}`;
  if (hasSource) return '.';
  const used = (await files.read('go.work'))?.match(/^use\s*(?:\(\s*)?(?:\.\/)?([\w./-]+)/m)?.[1];
  return used && used !== '.' ? `./${used}` : '.';
}
