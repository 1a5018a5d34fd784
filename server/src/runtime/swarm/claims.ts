import type { InstanceAddress } from '../runtime.ts';

/** Which task of a service is which instance: labels of the service, so that the engine keeps it. */
export interface TaskClaim extends InstanceAddress {
  taskId: string;
  instanceId: string;
  /** Where its first process answers, on the same machine. */
  controlPort: number;
  startedAt: Date;
}

const PREFIX = 'lilac.task.';

export function readClaims(labels: Readonly<Record<string, string>>): TaskClaim[] {
  return Object.entries(labels).flatMap(([name, value]) => {
    if (!name.startsWith(PREFIX)) return [];
    const [instanceId = '', startedAt = '', host = '', port = '', controlPort = ''] = value.split(' ');
    const taskId = name.slice(PREFIX.length);
    return [
      {
        taskId,
        instanceId,
        startedAt: new Date(startedAt),
        host,
        port: Number(port),
        controlPort: Number(controlPort),
      },
    ];
  });
}

/** All labels of the service, with these claims and no other. */
export function withClaims(
  labels: Readonly<Record<string, string>>,
  claims: readonly TaskClaim[],
): Record<string, string> {
  const others = Object.entries(labels).filter(([name]) => !name.startsWith(PREFIX));
  const noted = claims.map(({ taskId, instanceId, startedAt, host, port, controlPort }) => [
    `${PREFIX}${taskId}`,
    [instanceId, startedAt.toISOString(), host, port, controlPort].join(' '),
  ]);
  return Object.fromEntries([...others, ...noted]) as Record<string, string>;
}
