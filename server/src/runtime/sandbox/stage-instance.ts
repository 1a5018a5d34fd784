import { existsSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SANDBOX_HOME } from '../../sandbox/sandbox.ts';
import { inner, scratch } from '../inner-paths.ts';
import { filesOf } from '../held/instance-record.ts';
import { mountTable } from '../mount-table.ts';
import type { InstancePlan } from './plan-instance.ts';

/** Where an instance's mounts are gathered, in a mount namespace of its own. */
export interface Stage {
  mountedOn: string;
  /** Where it is found once everything is mounted. */
  seenAt: string;
}

/** What an instance is shown besides its tree. */
export interface Shown {
  from: string;
  /** Relative to the stage. */
  place: string;
  at: string;
  isFolder: boolean;
}

/** Nothing of ours lies in these: what is mounted on one need not be moved to where a stranger reaches it. */
const EMPTY_PLACES = ['/mnt', '/media', '/srv', '/opt'];

export function chooseStage(plan: InstancePlan): Stage {
  const { host, stage, slug } = plan;
  if (!host.isRoot) return { mountedOn: stage, seenAt: stage };
  const shown = [...shownFolders(plan), ...shownLimits(plan)].map(({ from }) => from);
  const used = [stage, slug, host.bubblewrap ?? '/usr', ...shown].map((path) => realpathSync(path));
  const place = EMPTY_PLACES.find((each) => existsSync(each) && !used.some((path) => path.startsWith(`${each}/`)));
  return place ? { mountedOn: place, seenAt: place } : { mountedOn: stage, seenAt: SANDBOX_HOME };
}

/** What the prelude does for it. */
export function stageSteps(plan: InstancePlan, { mountedOn, seenAt }: Stage, shown: readonly Shown[]): string[] {
  const options = `mode=755,nosuid,nodev,size=${scratchBytes(plan)}`;
  const owner = plan.host.isRoot ? String(plan.uid) : '0';
  const files = shown.filter(({ isFolder }) => !isFolder);
  const steps = [
    ['scratch', mountedOn, options],
    ['layers', mountedOn, owner],
    ['table', filesOf(plan.folder).mounts],
    ...files.map(({ from, place }) => ['folder', from, join(mountedOn, place)]),
    ...(mountedOn === seenAt ? [] : [['show', mountedOn, seenAt]]),
  ];
  return steps.flat();
}

/** What an instance writes is memory that it has no more: half of it at most, as the kernel itself does it. */
export const scratchBytes = ({ memoryMb }: InstancePlan): number => (memoryMb * 1024 ** 2) / 2;

export function stageTable({ slug, host }: InstancePlan, { mountedOn }: Stage, shown: readonly Shown[]): string {
  const folders = shown.filter(({ isFolder }) => isFolder);
  return mountTable({ stage: mountedOn, slug, folders, isRoot: host.isRoot, canOverlay: host.canLayer });
}

export function shownFolders(plan: InstancePlan): Shown[] {
  const settings = { from: plan.settings, place: scratch.settings, at: inner.settings, isFolder: true };
  return [settings, ...shownTools(plan)];
}

export function shownTools({ tools }: InstancePlan): Shown[] {
  return tools.flatMap((mount, index) => {
    if (mount.kind !== 'folder') return [];
    const { from, at } = mount;
    return [{ from, place: `.tools/${index}`, at, isFolder: statSync(from).isDirectory() }];
  });
}

/** Its own control group, so that it can see its limits. Version 2 has one folder for all. */
export function shownLimits({ cgroup }: InstancePlan): Shown[] {
  return cgroup.flatMap(({ version, controllers, path }) => {
    const parts = version === 2 ? [''] : controllers.map((name) => `/${name}`);
    return parts.map((part) => ({ from: path, place: scratch.limits + part, at: inner.limits + part, isFolder: true }));
  });
}
