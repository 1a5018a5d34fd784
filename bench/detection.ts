/**
 * How often is a project recognised? Without arguments: every folder of examples/ against its expect.json, with the
 * settings that stand there; what these say is told and not recognised, and so not counted.
 * With `<manifest.json> <folder>`: projects of others, `{items: [{id, expected}]}`, each checked out below the
 * folder under its id. A third argument `even` or `odd` looks at every other one only, so that rules can be
 * written with one half and checked with the other.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { detectPlan } from '../server/src/build/detect/detect-plan.ts';
import { NOTHING_SET, type BuildSettings, type Plan } from '../server/src/build/plan.ts';
import { openFolderTree } from '../server/src/source/folder-tree.ts';
import { exampleProjects } from './detection/example-projects.ts';
import { judge, type Expected, type Verdict } from './detection/judge.ts';
import { report } from './measuring/report.ts';
import { wordsGiven } from './measuring/words-given.ts';

const TARGETS: Readonly<Record<string, number>> = { framework: 97, deploymentType: 98 };

interface Subject {
  id: string;
  folder: string;
  /** What people say of it when they deploy it. */
  settings: Partial<BuildSettings>;
  expected: Expected;
}

const [manifest, folder, half] = wordsGiven();
const subjects = manifest ? readManifest(manifest, folder ?? '.') : exampleProjects();
const chosen = half ? subjects.filter((_, index) => index % 2 === (half === 'even' ? 0 : 1)) : subjects;
const verdicts: Verdict[] = [];

for (const subject of chosen) {
  const plan = await plannedFor(subject);
  verdicts.push(...judge(subject.id, subject.expected, plan));
}
tellVerdicts();
await timeAll();

async function plannedFor({ folder, settings }: Subject): Promise<Plan | string> {
  try {
    return await detectPlan(openFolderTree(folder), { ...NOTHING_SET, ...settings });
  } catch (error) {
    return (error as Error).message;
  }
}

function readManifest(path: string, root: string): Subject[] {
  const { items } = JSON.parse(readFileSync(path, 'utf8')) as { items: { id: string; expected: Expected }[] };
  const all = items.map(({ id, expected }) => ({ id, folder: join(root, id), settings: {}, expected }));
  const missing = all.filter((subject) => !existsSync(subject.folder));
  if (missing.length > 0) console.log(`not checked out: ${missing.map((subject) => subject.id).join(', ')}`);
  return all.filter((subject) => existsSync(subject.folder));
}

function tellVerdicts(): void {
  for (const verdict of verdicts.filter((one) => !one.isRight)) {
    console.log(`${verdict.id}: ${verdict.field} is ${verdict.expected}, found ${verdict.found}`);
  }
  for (const field of new Set(verdicts.map((verdict) => verdict.field))) {
    const stated = verdicts.filter((verdict) => verdict.field === field);
    const percent = (100 * stated.filter((verdict) => verdict.isRight).length) / stated.length;
    const atLeast = TARGETS[field];
    report({
      name: `${field} recognised, of ${stated.length} projects`,
      unit: '%',
      ours: percent,
      bar: atLeast === undefined ? undefined : { of: 'ours', atLeast },
    });
  }
}

/** Again, with everything warm: what the rules themselves cost. */
async function timeAll(): Promise<void> {
  const before = process.cpuUsage();
  for (const subject of chosen) await plannedFor(subject);
  const { user, system } = process.cpuUsage(before);
  console.log(
    `CPU              ${((user + system) / 1000 / chosen.length).toFixed(2)} ms a project, reading its files included`,
  );
}
