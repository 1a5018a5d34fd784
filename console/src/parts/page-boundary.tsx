import { Component, type ReactNode } from 'react';
import { FailedPage } from './failed-page.tsx';

/** A page that fails takes only itself down: the way to the others stays. */
export class PageBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? <FailedPage /> : this.props.children;
  }
}
