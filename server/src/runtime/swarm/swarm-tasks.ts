import { CONTROL_PORT, PROGRAM_PORT } from './init/agreement.ts';

/** What the engine says of a task, as far as we look at it. */
export interface SwarmTask {
  ID: string;
  ServiceID: string;
  Slot: number;
  NodeID?: string;
  DesiredState: string;
  Status: {
    State: string;
    Timestamp?: string;
    Err?: string;
    Message?: string;
    PortStatus?: { Ports?: { TargetPort: number; PublishedPort: number }[] };
  };
}

export interface SwarmNode {
  ID: string;
  Status: { State: string; Addr: string };
  ManagerStatus?: { Addr?: string };
}

/** No more comes of a task in one of these. */
const FINAL = ['complete', 'shutdown', 'failed', 'rejected', 'remove', 'orphaned'];

/** Whether it runs or will: it is wanted, has not ended, and its machine is there. */
export function isLive(task: SwarmTask, nodes: ReadonlyMap<string, SwarmNode>): boolean {
  const isLost = task.NodeID !== undefined && task.NodeID !== '' && isGone(nodes.get(task.NodeID));
  return task.DesiredState === 'running' && !isOver(task) && !isLost;
}

/** A manager that has just begun to lead knows nothing of any machine yet: that is no loss. */
const isGone = (node: SwarmNode | undefined): boolean => node === undefined || node.Status.State === 'down';

export const isOver = (task: SwarmTask): boolean => FINAL.includes(task.Status.State);

/** By what was in it: all other ends are the swarm's doing, or its machine's. */
export const hasEndedItself = ({ Status: { State } }: SwarmTask): boolean =>
  State === 'complete' || State === 'failed' || State === 'rejected';

/** Whether the engine has it run, or will when its time has come. */
export const isWanted = (task: SwarmTask): boolean => !FINAL.includes(task.DesiredState);

export interface TaskPlace {
  host: string;
  port: number;
  controlPort: number;
}

/** Where it is reached; null while nobody knows. */
export function placeOf(task: SwarmTask, nodes: ReadonlyMap<string, SwarmNode>): TaskPlace | null {
  const node = task.NodeID ? nodes.get(task.NodeID) : undefined;
  const published = (target: number) =>
    task.Status.PortStatus?.Ports?.find(({ TargetPort }) => TargetPort === target)?.PublishedPort;
  const [port, controlPort] = [published(PROGRAM_PORT), published(CONTROL_PORT)];
  if (task.Status.State !== 'running' || !node || !port || !controlPort) return null;
  return { host: addressOf(node), port, controlPort };
}

/** A manager that was reached by its own socket only knows its address from the other managers' view. */
export function addressOf({ Status, ManagerStatus }: SwarmNode): string {
  if (Status.Addr !== '0.0.0.0' && Status.Addr !== '') return Status.Addr;
  return ManagerStatus?.Addr?.replace(/:\d+$/, '') ?? Status.Addr;
}
