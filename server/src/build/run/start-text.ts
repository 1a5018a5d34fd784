import { join } from 'node:path';
import { inner } from '../inner-paths.ts';
import type { Plan } from '../plan.ts';
import { VIRTUAL_ENVIRONMENT } from '../toolchain/language-environment.ts';

export type Scripts = Readonly<Record<string, string>>;

const CALLED = /^(npm|pnpm|yarn|bun)\s+(?:run(?:-script)?\s+)?([\w:.-]+)$/;
/** Words of package managers that are no scripts. */
const OWN_WORDS = /^(exec|dlx|install|ci|x|test|run)$/;
const MAX_DEPTH = 4;

/**
 * What a package manager would run: without it an instance needs less memory, starts sooner and is told itself
 * when to stop. Left as it is where the package manager does more than run it.
 */
export function resolveScript(command: string, scripts: Scripts, depth = 0): string {
  const [, manager, name] = command.trim().match(CALLED) ?? [];
  if (!manager || !name || OWN_WORDS.test(name) || depth === MAX_DEPTH) return command;
  const script = scripts[name];
  const isMore = `pre${name}` in scripts || `post${name}` in scripts || /\bnpm_\w+|INIT_CWD/.test(script ?? '');
  return script?.trim() && !isMore ? resolveScript(script.trim(), scripts, depth + 1) : command;
}

export interface ProgramPlaces extends Pick<Plan, 'rootDirectory' | 'workspaceDirectory' | 'language'> {
  /** Then there is a virtual environment. */
  hasPython: boolean;
}

/** Shell text that starts an instance: the project's own programs are found before any others. */
export function startText(command: string, place: ProgramPlaces): string {
  const folders = programFolders(place).join(':');
  return `PATH="${folders}:$PATH"; ${withoutShell(command)}`;
}

function programFolders({ rootDirectory, workspaceDirectory, language, hasPython }: ProgramPlaces): string[] {
  return [
    ...(hasPython ? [below(rootDirectory, join(VIRTUAL_ENVIRONMENT, 'bin'))] : []),
    ...(language === 'php' ? [below(rootDirectory, 'vendor/bin')] : []),
    ...new Set([rootDirectory, workspaceDirectory].map((folder) => below(folder, 'node_modules/.bin'))),
  ];
}

/** The file of the project that a command starts: `./server`; null where it starts something else. */
export function startedFile(command: string): string | null {
  return command.match(/^(?:exec\s+)?(\.\/[\w./-]+)/)?.[1] ?? null;
}

const below = (folder: string, path: string): string => join(inner.source, folder, path);

const SIMPLE = /^[\w./@+~-]+(\s[^;&|<>()`\n\\{}#!]*)?$/;
/** Of a name behind `$`, the first letter: the others can be read in one way only. */
const ASSIGNMENTS = /^(?:[A-Za-z_]\w*=(?:'[^']*'|"[^"$`\\]*"|[\w./:@%+,-]|\$\w)*\s+)+(?=[\w./])/;
const BUILT_IN =
  /^(cd|exec|export|set|unset|if|while|until|for|case|eval|source|trap|umask|ulimit|alias|wait|time|\.|:)(\s|$)/;

/** A single program takes the shell's place, so that signals reach it; anything else is left to the shell. */
function withoutShell(command: string): string {
  const text = command.trim();
  const assignments = text.match(ASSIGNMENTS)?.[0] ?? '';
  const rest = text.slice(assignments.length);
  if (!SIMPLE.test(rest) || BUILT_IN.test(rest)) return text;
  return assignments ? `exec env ${text}` : `exec ${text}`;
}
