import { describe, expect, it } from 'vitest';
import { leftGroups, leftPorts, leftProcesses } from './invariants/left-processes.ts';
import { canMakeGroups, makeGroup } from './testing/make-group.ts';
import { openHome } from './testing/open-home.ts';
import { startListener, startProcess } from './testing/start-process.ts';

const canGroup = canMakeGroups();

describe('a process of an installation', () => {
  it.each([
    ['works in its home', (home: string) => ({ cwd: home })],
    ['was started for its home', (home: string) => ({ env: { LILAC_HOME: home } })],
  ])('is left where it %s and belongs to nothing that is there', async (_, optionsIn) => {
    using home = openHome();
    await using stray = await startProcess(optionsIn(home.path));
    expect(leftProcesses(home.expecting())).toEqual([`process ${stray.pid} (sleep 600 )`]);
    expect(leftProcesses(home.expecting({ pids: new Set([stray.pid]) }))).toEqual([]);
  });

  it('is nobody who knows nothing of its home', async () => {
    using home = openHome();
    using another = openHome();
    await using _stranger = await startProcess({ cwd: another.path });
    expect(leftProcesses(home.expecting())).toEqual([]);
  });

  it.runIf(canGroup)('is left also where it has forgotten its home, and is in one of its groups', async () => {
    using home = openHome();
    using group = makeGroup(home.path, 'ins_1');
    await using stray = await startProcess();
    group.add(stray.pid);
    expect(leftProcesses(home.expecting())).toEqual([`process ${stray.pid} (sleep 600 )`]);
    expect(leftProcesses(home.expecting({ pids: new Set([stray.pid]) }))).toEqual([]);
  });
});

describe.runIf(canGroup)('a control group', () => {
  it('is left where its instance is not there', () => {
    using home = openHome();
    using group = makeGroup(home.path, 'ins_1');
    expect(leftGroups(home.expecting())).toEqual([group.path]);
    expect(leftGroups(home.expecting({ instances: new Set(['ins_2']) }))).toEqual([group.path]);
    expect(leftGroups(home.expecting({ instances: new Set(['ins_1']) }))).toEqual([]);
  });

  it('is none of an installation that has another home', () => {
    using home = openHome();
    using another = openHome();
    using _group = makeGroup(another.path, 'ins_1');
    expect(leftGroups(home.expecting())).toEqual([]);
  });
});

it('a port is left where a process of the platform listens, and neither the public one nor a database is there', async () => {
  using home = openHome();
  await using listener = await startListener();
  const { port, pid } = listener;
  const pids = new Set([pid]);
  expect(leftPorts(home.expecting({ pids }), port + 1)).toEqual([
    expect.stringContaining(`port ${port} of process ${pid} (`),
  ]);
  expect(leftPorts(home.expecting({ pids }), port)).toEqual([]);
  expect(leftPorts(home.expecting({ pids, ports: new Set([port]) }), port + 1)).toEqual([]);
  expect(leftPorts(home.expecting(), port + 1)).toEqual([]);
});
