import type Docker from 'dockerode';
import { isConflict, isNotFound } from '../../runtime/docker/engine-errors.ts';
import { labelNames } from './service-spec.ts';

export interface FoundService {
  id: string;
  name: string;
  serverId: string;
}

/** How far a task is; `words` is what the swarm says of it. */
export interface TaskState {
  state: string;
  words: string;
}

/** False where there is one of that name. */
export async function createService(docker: Docker, spec: object): Promise<boolean> {
  try {
    await docker.createService(spec);
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}

export async function listServices(docker: Docker, installation: string): Promise<FoundService[]> {
  const filters = { label: [`${labelNames.installation}=${installation}`] };
  return (await docker.listServices({ filters })).map(({ ID, Spec }) => ({
    id: ID,
    name: Spec?.Name ?? '',
    serverId: Spec?.Labels?.[labelNames.server] ?? '',
  }));
}

/** Harmless when there is none. */
export async function removeService(docker: Docker, name: string): Promise<void> {
  try {
    await docker.getService(name).remove();
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Null while the swarm has not made it. */
export async function readTask(docker: Docker, name: string): Promise<TaskState | null> {
  const filters = JSON.stringify({ service: [name] });
  const [task] = (await docker.listTasks({ filters })) as {
    Status: { State: string; Err?: string; Message?: string };
  }[];
  return task ? { state: task.Status.State, words: task.Status.Err ?? task.Status.Message ?? '' } : null;
}
