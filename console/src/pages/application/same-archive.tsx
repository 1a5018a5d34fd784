import type { Deployment } from '../../lib/describe-deployment.ts';
import { Name } from '../../parts/name.tsx';
import { Time } from '../../parts/time.tsx';

/** What is built where nothing new was sent. */
export function SameArchive({ archive }: { archive: Deployment | null }) {
  if (!archive) {
    return (
      <p className="about">
        Nothing was uploaded here yet. This builds the archive that production was last deployed from. To deploy other
        files, upload a new version.
      </p>
    );
  }
  return (
    <>
      <p className="about">
        This builds the archive that was uploaded last once more, with the variables and settings of now. To deploy
        other files, upload a new version.
      </p>
      <dl className="facts">
        <dt>Archive</dt>
        <dd>
          <span className="break">
            <Name of={archive.upload_name ?? ''} />
          </span>
          <br />
          <span className="meta">
            {archive.status === 'healthy' ? 'last deployed' : 'last tried'} <Time at={archive.started_at} />
          </span>
        </dd>
      </dl>
    </>
  );
}
