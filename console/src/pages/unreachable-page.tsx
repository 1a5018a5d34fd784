import { Button } from '../parts/button.tsx';
import { NarrowPage } from '../parts/narrow-page.tsx';
import { browserSession } from '../session/browser-session.ts';

export function UnreachablePage() {
  return (
    <NarrowPage title="The platform does not answer" about="It may be restarting. This page tries again by itself.">
      <div className="actions">
        <Button look="primary" onClick={() => void browserSession.refresh()}>
          Try now
        </Button>
      </div>
    </NarrowPage>
  );
}
