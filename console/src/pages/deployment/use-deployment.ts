import { useEffect, useRef, useState } from 'react';
import type { OutputOf } from '../../lib/api-types.ts';
import { type Deployment, isMoving } from '../../lib/describe-deployment.ts';
import { ALL_DEPLOYMENTS } from '../../lib/rollback.ts';
import { useCall } from '../../lib/use-call.ts';
import { useStream } from '../../lib/use-stream.ts';
import { LogBuffer } from '../../parts/log-view/buffer.ts';
import { useMember } from '../../shell/member-context.ts';
import { withListed } from './with-listed.ts';
import { withStatus } from './with-status.ts';

type Loaded = OutputOf<'deployments.get'>;

const WHILE_MOVING_MS = 3000;
const OTHERWISE_MS = 15_000;

/** What the stream has told since a deployment was loaded. */
interface News {
  of: Loaded;
  deployment: Loaded;
  isOver: boolean;
}

/** A deployment with its log and its neighbours, kept up to date for as long as it is looked at. */
export function useDeployment(deploymentId: string) {
  const targetOrganisationId = useMember().organisation.id;
  const loaded = useCall('deployments.get', { body: { targetOrganisationId, deploymentId } });
  const [log] = useState(() => new LogBuffer());
  const [news, setNews] = useState<News | null>(null);
  const { data } = loaded;
  // What was told of an earlier answer is in the later one.
  const current = news && news.of === data ? news : null;
  const deployment = current?.deployment ?? data;
  useEffect(() => {
    const missing = data?.deployment_logs.slice(log.nextNumber - 1) ?? [];
    if (missing.length > 0) log.append(missing.map((text) => ({ text })));
  }, [data, log]);

  const neighbours = useNeighbours(deployment);
  const isFollowed = data !== undefined && isMoving(data) && !current?.isOver;
  const stream = useStream(
    'deployments.stream',
    isFollowed
      ? { params: { targetOrganisationId, deploymentId }, query: { from: data.deployment_logs.length } }
      : null,
    ({ event, data: told }) => {
      if (event === 'log') {
        if (told.line === log.nextNumber - 1) log.append([{ text: told.text }]);
        return;
      }
      const isOver = event === 'done';
      setNews((before) => {
        const last = before && before.of === data ? before.deployment : data!;
        return { of: data!, deployment: isOver ? { ...last, ...told } : withStatus(last, told), isOver };
      });
      if (isOver) {
        loaded.reload();
        neighbours.reload();
      }
    },
  );
  const own = neighbours.data?.find(({ id }) => id === deploymentId);
  useReloadWhenOvertaken({ deployment, own, reload: loaded.reload });
  const shown = deployment && withListed(deployment, own);
  const reload = () => {
    loaded.reload();
    neighbours.reload();
  };
  const lineCount = data && deployment && !isMoving(data) && !isMoving(deployment) ? data.deployment_logs.length : null;
  return { loaded, log, lineCount, stream, neighbours: neighbours.data, deployment: shown, reload };
}

/** The environment's deployments: which is live, and whether one can go back to this. */
function useNeighbours(deployment: Loaded | undefined) {
  const targetOrganisationId = useMember().organisation.id;
  const refreshMs = deployment && isMoving(deployment) ? WHILE_MOVING_MS : OTHERWISE_MS;
  const body = deployment && {
    targetOrganisationId,
    environmentId: deployment.environment_id,
    limit: ALL_DEPLOYMENTS,
  };
  return useCall('deployments.list', body ? { body } : null, { refreshMs });
}

interface Overtaken {
  deployment: Loaded | undefined;
  own: Deployment | undefined;
  reload: () => void;
}

/** Somebody else may roll back to one that had ended; then there is something to follow again. */
function useReloadWhenOvertaken({ deployment, own, reload }: Overtaken): void {
  const seen = useRef(own);
  useEffect(() => {
    if (seen.current === own) return;
    seen.current = own;
    if (!deployment || !own || isMoving(deployment)) return;
    if (own.status !== deployment.status || own.completed_at !== deployment.completed_at) reload();
  }, [deployment, own, reload]);
}
