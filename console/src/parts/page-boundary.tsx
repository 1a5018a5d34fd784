import { Component, type ReactNode, Suspense } from 'react';
import { Button } from './button.tsx';
import { Waiting } from './loading.tsx';

/** A page that fails takes only itself down: the way to the others stays. */
export class PageBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return <Suspense fallback={<Waiting />}>{this.props.children}</Suspense>;
    return (
      <div className="page">
        <p className="notice notice-error" role="alert">
          This page could not be shown.
        </p>
        <div className="actions">
          <Button onClick={() => location.reload()}>Load it again</Button>
        </div>
      </div>
    );
  }
}
