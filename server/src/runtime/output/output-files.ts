import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../../lib/write-whole.ts';
import type { InstanceOutput } from '../runtime.ts';
import { listLeftovers, listNames, readBootId } from '../held/instance-record.ts';

/** Whose output it is. */
export type OutputLabels = Omit<InstanceOutput, 'isOver' | 'isStopped'>;

interface OutputAbout extends OutputLabels {
  /** What was not yet on the disk when the machine stopped is gone from the file. */
  bootId: string;
}

export const streamNames = ['stdout', 'stderr'] as const;
export type StreamName = (typeof streamNames)[number];

export const outputFilesOf = (folder: string) => ({
  about: join(folder, 'about.json'),
  stdout: join(folder, 'stdout'),
  stderr: join(folder, 'stderr'),
});

/** The folder is there with what it is about, or not at all. One that is there already stays as it is. */
export function makeOutputFolder(root: string, labels: OutputLabels): string {
  const { instanceId, organisationId, environmentId, deploymentId } = labels;
  const folder = join(root, instanceId);
  const draft = join(root, `.draft-${process.pid}-${instanceId}`);
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  const about: OutputAbout = { instanceId, organisationId, environmentId, deploymentId, bootId: readBootId() };
  writeFileSync(outputFilesOf(draft).about, JSON.stringify(about));
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  }
  return folder;
}

export const listOutputFolders = (root: string): string[] => listNames(root);

/** What processes that are gone left half-made or half-removed. */
export function sweepOutputFolders(root: string): void {
  for (const folder of listLeftovers(root)) rmSync(folder, { recursive: true, force: true });
}

/** Out of the way first: half a folder would be taken for the output of somebody. */
export function removeOutputFolder(root: string, instanceId: string): void {
  const place = join(root, `.gone-${process.pid}-${instanceId}`);
  try {
    renameSync(join(root, instanceId), place);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  rmSync(place, { recursive: true, force: true });
}

export function readAbout(folder: string): OutputAbout | null {
  try {
    return JSON.parse(readFileSync(outputFilesOf(folder).about, 'utf8')) as OutputAbout;
  } catch {
    return null;
  }
}

/** What must be known of a stream after its file has changed other than by being written to. */
export interface StreamMarks {
  /** The position of the file's first byte: it was begun anew when so much had been written. */
  base: number;
  /** What is before this position is gone, or may go at any moment. */
  floor: number;
}

const marksOf = (path: string): string => `${path}.marks`;

export function readMarks(path: string): StreamMarks {
  try {
    return JSON.parse(readFileSync(marksOf(path), 'utf8')) as StreamMarks;
  } catch {
    return { base: 0, floor: 0 };
  }
}

export function writeMarks(path: string, marks: StreamMarks): void {
  writeWhole(marksOf(path), JSON.stringify(marks), { mode: 0o600 });
}
