import { readExpected } from './expected.ts';
import { leftByUsers } from './left-by-users.ts';
import { leftDoors } from './left-doors.ts';
import { leftFolders, leftMounts, leftObjects, lostObjects } from './left-files.ts';
import { leftNetworks } from './left-networks.ts';
import { leftGroups, leftPorts, leftProcesses } from './left-processes.ts';
import { leftTemporary } from './left-temporary.ts';
import type { Invariant } from './problem.ts';
import { strangeEntries } from './strange-entries.ts';

const NAME = 'no process, file, mount, group, network, port, rule of the firewall or user is left of what is not there';

/** What the machine has, held against what the store says there is. */
export const leavesNoOrphan: Invariant = async (check) => {
  const expected = await readExpected(check);
  const { port } = check.scene.handle.current();
  const { named, needed, abandoned } = await check.peek.objects();
  const left = [
    ...leftProcesses(expected),
    ...leftGroups(expected),
    ...leftMounts(expected),
    ...leftNetworks(expected),
    ...leftPorts(expected, port),
    ...(await leftDoors(expected, port)),
    ...leftByUsers(expected, check.scene),
    ...leftFolders(expected),
    ...leftObjects(expected, named),
    ...abandoned,
    ...leftTemporary(check.scene),
    ...strangeEntries(expected.home).map((path) => `entry ${path} of the home`),
  ];
  return [
    ...left.map((what) => ({ invariant: NAME, about: idIn(what), what: `${what} is left` })),
    ...lostObjects(expected, needed).map((what) => ({
      invariant: NAME,
      about: idIn(what),
      what: `${what} is missing`,
    })),
  ];
};

const idIn = (text: string): string => /(ins|dbs|dep|art|upl)_[A-Za-z0-9]+/.exec(text)?.[0] ?? text;
