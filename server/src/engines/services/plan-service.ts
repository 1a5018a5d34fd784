import { PROGRAM_PATH } from '../../sandbox/launch.ts';
import { EngineRefused } from '../engine.ts';
import { filesOf } from '../host/place-files.ts';
import type { HeldServer } from '../host/processes.ts';
import type { ServerProgram } from '../host/server-host.ts';
import type { EngineMachine } from './engine-machine.ts';
import type { Ground } from './ground.ts';
import { isWithin, programFolders } from './machine-files.ts';
import { markPath } from './service-marks.ts';
import type { Bind, ServicePlan } from './service-spec.ts';

/** Where a container has what it says, and the folder without which it cannot start. */
const LOG_AT = '/run/lilac-server.log';
const MARK_AT = '/run/lilac-launch';

/** Should the whole machine run out of memory, databases go after instances, and before the platform and its store. */
const EXPENDABLE = '100';

/** What it says goes into its log, from the first word on. A fixed text; everything of a server is an argument. */
const BEGIN = `
exec >> ${LOG_AT} 2>&1
{ echo "$1" > /proc/self/oom_score_adj; } 2>/dev/null
shift
exec "$@"
`;

export interface PlanWants {
  machine: EngineMachine;
  ground: Ground;
  launch: string;
  isReserved: boolean;
  program: ServerProgram;
  /** Null: setpriv is not there. */
  setpriv: string | null;
}

export function planService({ record, folder }: HeldServer, wants: PlanWants): ServicePlan {
  const { machine, ground, launch, isReserved, program, setpriv } = wants;
  const { home } = filesOf(folder);
  const homeAt = record.uid === null ? undefined : program.homeAt;
  return {
    installation: machine.installation,
    nodeId: machine.nodeId,
    serverId: record.serverId,
    launch,
    imageId: ground.imageId,
    emptied: ground.emptied,
    argv: ['/bin/sh', '-c', BEGIN, 'sh', EXPENDABLE, ...noNewPrivileges(setpriv), ...program.argv],
    env: { PATH: PROGRAM_PATH, ...program.env },
    at: homeAt ?? home,
    uid: record.uid ?? process.getuid?.() ?? 0,
    size: record.size,
    isReserved,
    stopSignal: program.stopSignal ?? 'SIGTERM',
    binds: [
      ...ground.binds,
      ...programBinds(machine, ground, program),
      ...ownBinds(machine, { folder, launch, homeAt }),
    ],
  };
}

/** Engines before Docker 24 do not know how to say that of a task. */
const noNewPrivileges = (setpriv: string | null): string[] => (setpriv ? [setpriv, '--no-new-privs', '--'] : []);

/** Programs that neither the image nor the folders of the system have. */
function programBinds(machine: EngineMachine, { binds }: Ground, { argv }: ServerProgram): Bind[] {
  const shown = binds.map(({ target }) => target);
  return programFolders(argv, shown).flatMap((folder) => {
    const source = machine.sourceOf(folder);
    return source === null || isWithin(folder, shown) ? [] : [{ source, target: folder, isReadOnly: true }];
  });
}

interface Own {
  folder: string;
  launch: string;
  homeAt: string | undefined;
}

/** Its home, by the name that the platform has for it, its log, and what lets it start: nothing else of anybody. */
function ownBinds(machine: EngineMachine, { folder, launch, homeAt }: Own): Bind[] {
  const { home, log } = filesOf(folder);
  const bind = (path: string, target: string, isReadOnly = false): Bind => ({
    source: sourceFor(machine, path),
    target,
    isReadOnly,
  });
  return [
    bind(home, home),
    ...(homeAt === undefined ? [] : [bind(home, homeAt)]),
    bind(log, LOG_AT),
    bind(markPath(folder, launch), MARK_AT, true),
  ];
}

function sourceFor(machine: EngineMachine, path: string): string {
  const source = machine.sourceOf(path);
  if (source === null) throw new EngineRefused(`The engine of Docker does not see ${path}.`);
  return source;
}
