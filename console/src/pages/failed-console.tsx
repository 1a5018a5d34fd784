import { Button } from '../parts/button.tsx';
import { NarrowPage } from '../parts/narrow-page.tsx';

/** In place of everything, where something failed that is no page of the shell. */
export function FailedConsole() {
  return (
    <NarrowPage
      title="The console could not be shown"
      about="Something in it went wrong. What you saved is safe, and what runs goes on. Load it again; if it stays so, tell whoever runs the platform."
    >
      <div className="actions">
        <Button look="primary" onClick={() => location.reload()}>
          Load it again
        </Button>
      </div>
    </NarrowPage>
  );
}
