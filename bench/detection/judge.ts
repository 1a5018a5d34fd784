import { languages, type Plan } from '../../server/src/build/plan.ts';

/** What a project says of itself; a field that is absent is not stated. */
export interface Expected {
  framework?: string | null;
  language?: string;
  deploymentType?: string;
  outputDirectory?: string;
  packageManager?: string;
  startCommand?: string;
  buildCommand?: string;
  install?: string | null;
  isSinglePage?: boolean;
}

export interface Verdict {
  id: string;
  field: string;
  expected: string;
  found: string;
  isRight: boolean;
}

/** Presets of a hosting company that name only a language: no framework is stated by them. */
const LANGUAGE_PRESETS = new Set(['node', 'python', 'ruby', 'go']);
const SAME_FRAMEWORK: Readonly<Record<string, string>> = { 'sveltekit-1': 'sveltekit' };

/** One verdict for each field that is stated. A project for which there is no plan is wrong in all of them. */
export function judge(id: string, expected: Expected, plan: Plan | string): Verdict[] {
  const found = typeof plan === 'string' ? null : facts(plan);
  return Object.entries(facts({ ...expected }))
    .filter(([field, value]) => value !== undefined && !(field === 'framework' && LANGUAGE_PRESETS.has(String(value))))
    .map(([field, value]) => {
      const actual = found ? found[field as keyof typeof found] : plan;
      return { id, field, expected: show(value), found: show(actual), isRight: isSame(field, value, actual) };
    });
}

interface Stated extends Expected {
  installCommand?: string | null;
}

function facts(of: Stated | Plan) {
  const manager = of.packageManager;
  return {
    framework: of.framework,
    language: of.language,
    deploymentType: of.deploymentType,
    outputDirectory: of.outputDirectory,
    packageManager: typeof manager === 'object' ? manager?.name : manager,
    buildCommand: of.buildCommand,
    startCommand: of.startCommand,
    install: 'install' in of ? of.install : of.installCommand,
    isSinglePage: of.isSinglePage,
  };
}

function isSame(field: string, expected: unknown, found: unknown): boolean {
  if (field === 'framework') return (SAME_FRAMEWORK[String(expected)] ?? expected) === found;
  if (field === 'outputDirectory') return folder(expected) === folder(found);
  if (field === 'language') return language(expected) === language(found);
  // A command that is empty and one that is absent are the same.
  return (expected || null) === (found || null);
}

function folder(path: unknown): string {
  return (typeof path === 'string' ? path : '').replace(/^\.\/?|\/$/g, '');
}

/** Bun runs what npm installs: sources do not agree what to call it. */
function language(name: unknown): string {
  if (name === 'bun') return 'node';
  return (languages as readonly unknown[]).includes(name) ? String(name) : 'other';
}

function show(value: unknown): string {
  return value === '' ? '“”' : String(value);
}
