import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { belongsTo, processesOf } from '../../e2e/left-processes.ts';
import { processTree } from '../../server/src/lib/process-tree.ts';
import { installationId } from '../../server/src/runtime/network/names.ts';
import type { Scene } from '../scene.ts';
import { listTraces } from '../traces.ts';
import { descriptorsOf, namesIn, textOf } from './left-processes.ts';

/**
 * What the platform itself has left of temporary files: in the folder that it was given, and in that of the machine.
 */
export function leftTemporary(scene: Scene): string[] {
  const { home } = scene.handle;
  const { temporary, tracesBefore } = scene;
  const uid = process.getuid?.();
  const entries = listTraces()
    .filter((trace) => trace.uid === uid && dirname(trace.name) === tmpdir() && !tracesBefore.has(trace.name))
    .map(({ name }) => name);
  const own = temporary === undefined ? [] : namesIn(temporary).map((name) => `temporary file ${name}`);
  if (entries.length === 0) return own;
  const held = new Set(processesOf(home).flatMap((pid) => descriptorsOf(pid)));
  const clues = { ids: idsOf(scene), held, isAlone: isAlone(home) };
  return [...own, ...blamed(entries, clues).map((path) => `temporary file ${path}`)];
}

export interface Clues {
  /** Of what this run has made. */
  ids: readonly string[];
  /** What processes of the platform have open. */
  held: ReadonlySet<string>;
  /** Nobody else runs a platform here, or tests of one. */
  isAlone: boolean;
}

/** Of tests, who may be others, and keep some between runs. */
const OF_TESTS = /^lilac-(e2e|chaos|soak|bench)-/;

/** Others use the folder too: what cannot be told from theirs is nobody's fault. */
export function blamed(paths: readonly string[], { ids, held, isAlone }: Clues): string[] {
  return paths.filter((path) => {
    const name = basename(path);
    if (OF_TESTS.test(name)) return false;
    const isHeld = [...held].some((each) => each === path || each.startsWith(`${path}/`));
    return isHeld || ids.some((id) => name.includes(id)) || (isAlone && /^\.?lilac/i.test(name));
  });
}

function idsOf({ handle, deployer, ledger, watch, kept, passing, ...scene }: Scene): string[] {
  const subjects = [scene.site, scene.server, scene.sleeper];
  const environments = subjects.map(({ environmentId }) => environmentId);
  return [
    installationId(handle.home),
    deployer.targetOrganisationId,
    ...environments,
    ...subjects.map(({ id }) => id),
    ...kept.map(({ id }) => id),
    ...passing.applications.values(),
    ...passing.databases.values(),
    ...environments.flatMap((id) => [
      ...watch.seenIn(id).keys(),
      ...ledger.deployments(id).flatMap((deployment) => deployment.id ?? []),
    ]),
  ];
}

/** By what processes were started with: another installation's home, or a runner of tests. */
function isAlone(home: string): boolean {
  const ours = new Set([...ancestorsOf(process.pid), ...processTree(process.pid)]);
  const others = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => !ours.has(pid) && !belongsTo(pid, home));
  return !others.some((pid) => {
    const words = ['environ', 'cmdline'].flatMap((file) => textOf(join('/proc', String(pid), file)).split('\0'));
    return words.some((word) => /^(LILAC_HOME|VITEST)=|\bvitest\b/.test(word));
  });
}

function ancestorsOf(pid: number): number[] {
  const parent = Number(/^PPid:\s+(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0);
  return parent > 1 ? [parent, ...ancestorsOf(parent)] : [];
}
