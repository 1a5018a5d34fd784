import type { OutputOf } from '../../lib/api-types.ts';
import type { ButtonLook } from '../../parts/button.tsx';
import { DeployNow } from './deploy-now.tsx';

interface DeployButtonProps {
  environment: OutputOf<'environments.list'>[number];
  /** It is deployed from archives, not from a branch: the same one once more. */
  isUpload: boolean;
  look?: ButtonLook;
}

/** Not while the first is under way: the same once more would only wait behind it. */
export function DeployButton({ environment, isUpload, look }: DeployButtonProps) {
  const isFirstUnderWay = environment.status === 'deploying' && environment.live_deployment_id === null;
  return isFirstUnderWay ? null : <DeployNow {...{ environment, look, isUpload, asksOfArchive: isUpload }} />;
}
