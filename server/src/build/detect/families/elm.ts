import { posix } from 'node:path';
import { PlanRefused } from '../../plan.ts';
import type { Family, Finding, Project } from '../finding.ts';
import { jsFrameworks } from '../frameworks/all-frameworks.ts';
import { isFrameworkUsed } from '../frameworks/js-framework.ts';
import { commonFinding } from '../javascript/common-finding.ts';
import { type JsProject, openJsProject } from '../javascript/js-project.ts';
import { runScript } from '../javascript/package-manager.ts';
import { parseJson } from '../parse/read-data.ts';
import type { ProjectFiles } from '../project-files.ts';
import { shellWord } from '../shell-word.ts';

const MAIN = 'src/Main.elm';
const PAGES = ['index.html', 'public/index.html', 'static/index.html', 'dist/index.html'];
/** Where programs around Elm write to. */
const OUTPUTS: readonly [RegExp, string][] = [
  [/\belm-app build\b/, 'build'],
  [/\belm-spa build\b/, 'public'],
  [/\belm-(land|pages) build\b/, 'dist'],
];

/** Elm by its own compiler; bundlers of JavaScript that compile it on the way are known by their own rules. */
export const elm: Family = {
  name: 'Elm',
  frameworks: ['elm'],
  async detect(project) {
    const text = await project.files.read('elm.json');
    if (text === null || parseJson('elm.json', text)['type'] === 'package') return null;
    const opened = await openJsProject(project);
    if (opened && jsFrameworks.some((framework) => isFrameworkUsed(framework, opened))) return null;
    if (opened?.manifest.scripts['build']) return describeScript(opened, opened.manifest.scripts['build']);
    return opened?.manifest.scripts['start'] ? null : describeCompiler(project);
  },
};

async function describeScript(opened: JsProject, script: string): Promise<Finding | null> {
  if (!/\belm\b|elm-/.test(script)) return null;
  const written = script.match(/--output[ =]['"]?([^\s'"]+)/)?.[1];
  const known = OUTPUTS.find(([program]) => program.test(script))?.[1];
  return {
    ...commonFinding(opened),
    framework: 'elm',
    deploymentType: 'static',
    buildCommand: runScript(opened.manager, 'build'),
    outputDirectory: known ?? (await folderOfPage(opened.files, written ?? 'dist/main.js')),
    isSinglePage: true,
  };
}

/** The page may lie above its script: `index.html` with `js/main.js`. */
async function folderOfPage(files: ProjectFiles, script: string): Promise<string> {
  const folder = posix.dirname(script);
  if (script.endsWith('.html')) return folder;
  const page = await files.findFirst([posix.join(folder, 'index.html'), ...PAGES]);
  return page && isBelow(folder, posix.dirname(page)) ? posix.dirname(page) : folder;
}

function isBelow(folder: string, parent: string): boolean {
  return !posix.relative(parent, folder).startsWith('..');
}

/**
 * The first script that a page has of its own; tag by tag, since a page of nothing but beginnings has no end of any.
 */
function ownScript(page: string): string | null {
  const beginning = /<script/gi;
  for (let match; (match = beginning.exec(page));) {
    const end = page.indexOf('>', match.index);
    const tag = page.slice(match.index, end === -1 ? page.length : end);
    const source = tag.match(/\ssrc=["']\/?(?!\w+:|\/)([^"']+\.js)/i)?.[1];
    if (source !== undefined) return source;
    beginning.lastIndex = match.index + tag.length;
  }
  return null;
}

/** Without a page, the compiler writes one; with one, the script that the page asks for. */
async function describeCompiler({ files }: Project): Promise<Finding> {
  if (!(await files.has(MAIN))) {
    throw new PlanRefused(
      `This is an application of Elm without ${MAIN}. Name its main file so, or add a package.json with a build script: elm make <file> --output=dist/index.html.`,
    );
  }
  const page = await files.findFirst(PAGES);
  const script = page && ownScript((await files.read(page)) ?? '');
  const folder = page && script ? posix.dirname(page) : 'dist';
  const output = script ? posix.join(folder, script) : 'dist/index.html';
  return {
    framework: 'elm',
    language: 'other',
    deploymentType: 'static',
    buildCommand: `elm make ${MAIN} --optimize --output=${shellWord(output)}`,
    outputDirectory: folder,
    isSinglePage: true,
    notes: ['It is built by the program elm, which must be installed where builds run.'],
  };
}
