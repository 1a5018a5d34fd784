import { Component, type ReactNode } from 'react';
import { FailedPage } from './failed-page.tsx';

interface PageBoundaryProps {
  /** Instead of what failed; left out, what is shown within the shell. */
  failed?: ReactNode;
  children: ReactNode;
}

/** A page, or a part of one, that fails takes only itself down: the way to the others stays. */
export class PageBoundary extends Component<PageBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    const { failed = <FailedPage />, children } = this.props;
    return this.state.hasFailed ? failed : children;
  }
}
