import { Button } from '../parts/button.tsx';
import { NarrowPage } from '../parts/narrow-page.tsx';

/** Without its cookie a session ends with the page, and nobody would know why. */
export function NoCookiesPage() {
  return (
    <NarrowPage
      title="Cookies are blocked"
      about="This browser blocks the cookies of this site. The console keeps you signed in with one. Allow this site’s cookies in the browser’s settings, then load the page again."
    >
      <div className="actions">
        <Button look="primary" onClick={() => location.reload()}>
          Load it again
        </Button>
      </div>
    </NarrowPage>
  );
}
